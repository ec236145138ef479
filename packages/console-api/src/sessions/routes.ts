import { DAY_MS, isoTime, jsonText, LAST_SORTED_TIME, objectParts } from '@trawl/base';
import type { ConsoleInteraction } from '@trawl/contract/console';
import { detailsParts, type InteractionReader, RequestError, readStore } from '@trawl/router';
import type { ConsoleSessionReader } from '@trawl/store';
import type { ConsoleHandlers } from '../serving/handler.ts';

export interface SessionsOptions {
  readonly sessions: ConsoleSessionReader;
  readonly reader: Pick<InteractionReader, 'interaction' | 'sessionOf'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Filters offer what was used in this many days. */
const CHOICES_DAYS = 90;

/** What the pages of sessions and interactions read. */
export function sessionsRoutes({
  sessions,
  reader,
  now,
}: SessionsOptions): Pick<
  ConsoleHandlers,
  | 'listConsoleSessions'
  | 'readConsoleSession'
  | 'listConsoleTurns'
  | 'readConsoleInteraction'
  | 'readSessionFilters'
> {
  return {
    listConsoleSessions: async ({ params, query }) => {
      const wanted = { ...query, from: storedTime(query.from), to: storedTime(query.to) };
      return { text: jsonText(await readStore(() => sessions.list(params.project_id, wanted))) };
    },
    readConsoleSession: async ({ params }) => {
      const row = await readStore(() => sessions.session(params.project_id, params.session_id));
      if (!row) throw new RequestError(404, 'Session not found');
      return { text: jsonText(row) };
    },
    listConsoleTurns: async ({ params, query }) => {
      const { project_id: projectId, session_id: sessionId } = params;
      const turns = await readStore(() => sessions.turns(projectId, sessionId, query.after));
      if (!turns) throw new RequestError(404, 'Session not found');
      return { text: jsonText(turns) };
    },
    readConsoleInteraction: async ({ params }) => {
      const { project_id: projectId, interaction_id: id } = params;
      const facts = await readStore(() => sessions.facts(projectId, id));
      const sessionId = await readStore(() => reader.sessionOf(projectId, id));
      const stored =
        sessionId && (await readStore(() => reader.interaction(projectId, sessionId, id)));
      if (!facts || !stored) throw new RequestError(404, 'Interaction not found');
      return {
        text: objectParts<ConsoleInteraction>({
          facts: jsonText(facts),
          interaction: detailsParts(stored),
        }),
      };
    },
    readSessionFilters: async ({ params }) => {
      const since = isoTime(now() - CHOICES_DAYS * DAY_MS).slice(0, 10);
      return { text: jsonText(await readStore(() => sessions.choices(params.project_id, since))) };
    },
  };
}

/** A date-time as the store compares it. Its zone may carry it beyond the year 9999. */
const storedTime = (dateTime: string | undefined): string | undefined =>
  dateTime === undefined ? undefined : isoTime(Math.min(Date.parse(dateTime), LAST_SORTED_TIME));
