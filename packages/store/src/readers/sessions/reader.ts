import type {
  ConsoleInteractionFacts,
  ConsoleSessionList,
  ConsoleSessionRow,
  ConsoleSessionsQuery,
  ConsoleTurns,
  SessionFilterChoices,
} from '@trawl/contract/console';
import type { OpenDatabase } from '@trawl/database';
import { readFacts } from './interaction-facts.ts';
import { listSessions, readChoices } from './list.ts';
import { readRow } from './rows.ts';
import { readTurns } from './turns.ts';

/**
 * What the console's pages of sessions show. A session of another project is treated like one that
 * does not exist.
 */
export interface ConsoleSessionReader {
  /** @param query its times are as the store writes them */
  list(projectId: string, query: ConsoleSessionsQuery): Promise<ConsoleSessionList>;
  session(projectId: string, sessionId: string): Promise<ConsoleSessionRow | undefined>;
  /** Undefined for an unknown session, or an `after` that is not one of its interactions. */
  turns(
    projectId: string,
    sessionId: string,
    after: string | undefined,
  ): Promise<ConsoleTurns | undefined>;
  facts(projectId: string, interactionId: string): Promise<ConsoleInteractionFacts | undefined>;
  /** @param since a day, `2026-03-02` */
  choices(projectId: string, since: string): Promise<SessionFilterChoices>;
}

export function createConsoleSessionReader(database: OpenDatabase): ConsoleSessionReader {
  const { db } = database;
  return {
    list: (projectId, query) => listSessions(database, projectId, query),
    session: (projectId, sessionId) => readRow(db, projectId, sessionId),
    turns: (projectId, sessionId, after) => readTurns(db, projectId, sessionId, after),
    facts: (projectId, interactionId) => readFacts(db, projectId, interactionId),
    choices: (projectId, since) => readChoices(db, projectId, since),
  };
}
