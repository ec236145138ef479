import { z } from 'zod';
import { InteractionDetails } from '../schemas/interaction.ts';
import { dateTimeOut, optional, uuid, uuidOut } from '../schemas/json.ts';
import { INTERACTION_OUTCOMES, RUN_STATUSES } from '../vocabulary/vocabulary.ts';
import type { ConsoleRoute } from './route.ts';

/** Rows of a page of sessions. */
export const SESSION_ROWS = 50;
/** Most interactions in one answer of a session's turns. */
export const TURN_ROWS = 500;
/** Most users that a row names; the rest is counted. */
export const USERS_IN_ROW = 5;

const project = { project_id: uuid };
const filterText = z.string().min(1).max(300);
/** `2026-03-02T10:00:00.000Z~<id of the session>` */
// refined, not z.regex: its message would not reach the caller
const POSITION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z~[0-9a-f-]{36}$/;

const decimal = z
  .string()
  .max(20)
  .refine((text) => /^\d+(?:\.\d+)?$/.test(text), 'expected a number such as 0.05')
  .transform(Number);

/**
 * Which sessions. `outcome`, `provider`, `key_id`, `user_id`, `text` and `metadata` hold for one
 * and the same interaction of a session; the others are about the session as a whole.
 */
export const SessionFilters = z.object({
  /** Sessions that were active at this time or later. */
  from: optional(z.iso.datetime({ offset: true })),
  /** Sessions that began before this time. */
  to: optional(z.iso.datetime({ offset: true })),
  outcome: optional(z.enum(INTERACTION_OUTCOMES)),
  provider: optional(filterText),
  key_id: optional(filterText),
  user_id: optional(filterText),
  /**
   * A part of a query or URL, with A to Z in any case; or the id of a session or an interaction,
   * or the last 8 digits of one.
   */
  text: optional(filterText),
  /** `key=value`, as in the metadata of the request. */
  metadata: optional(
    filterText.refine((text) => /^[^=]+=/.test(text), 'expected key=value, such as customer=acme'),
  ),
  /** Known costs of at least this. */
  min_cost_usd: optional(decimal),
  /** From the first request to the last answer. */
  min_duration_ms: optional(z.int().min(0)),
});
export type SessionFilters = z.output<typeof SessionFilters>;

export const ConsoleSessionsQuery = SessionFilters.extend({
  /** `next` of the page before. */
  after: optional(
    z.string().refine((text) => POSITION.test(text), 'expected the "next" of an earlier answer'),
  ),
  /** `newest` of an earlier answer: only sessions with interactions that were recorded since. */
  newer_than: optional(z.int().min(0)),
});
export type ConsoleSessionsQuery = z.output<typeof ConsoleSessionsQuery>;

const KeyOfRow = z.object({
  id: z.string(),
  /** null: the key does not exist any more. */
  name: z.string().nullable(),
});

const cost = {
  /** Of the calls whose cost is known, in US dollars; null without such calls. */
  cost_usd: z.number().nullable(),
  calls: z.int(),
  /** Those of the calls whose cost is not known. */
  unpriced_calls: z.int(),
};

const firstInput = {
  /** The first query or URL, its first characters; null without one. */
  input: z.string().nullable(),
  kind: z.enum(['search', 'fetch']),
};

/** Everything that a list draws of a session. */
export const ConsoleSessionRow = z.object({
  id: uuidOut,
  created_at: dateTimeOut,
  /** When its newest interaction began. */
  latest_interaction_at: dateTimeOut,
  /** From the first request to the last answer. */
  duration_ms: z.int(),
  /** Interactions by how they ended: a search by its runs, a fetch by its pages. */
  outcomes: z.object({ succeeded: z.int(), partial: z.int(), failed: z.int() }),
  interaction_count: z.int(),
  providers: z.array(z.object({ name: z.string(), runs: z.int(), failed: z.int() })),
  ...cost,
  keys: z.array(KeyOfRow),
  /** The first of them, by name. */
  user_ids: z.array(z.string()),
  user_count: z.int(),
  ...firstInput,
  /** Of its first interaction; null where the metadata is too long for a list. */
  metadata_keys: z.array(z.string()).nullable(),
});
export type ConsoleSessionRow = z.output<typeof ConsoleSessionRow>;

export const ConsoleSessionList = z.object({
  /** Newest activity first. */
  sessions: z.array(ConsoleSessionRow),
  /** Pass it as `after` for the next page; null at the end. */
  next: z.string().nullable(),
  /** Pass it as `newer_than` to learn of what is recorded later. */
  newest: z.int(),
  /** Sessions that were compared with the filters for this page. */
  examined: z.int(),
  /** Not null: the search stopped here, before the page was full. `next` continues. */
  examined_until: dateTimeOut.nullable(),
  /** Sessions of the project, whatever the filters; null for more than can be counted quickly. */
  total: z.int().nullable(),
});
export type ConsoleSessionList = z.output<typeof ConsoleSessionList>;

/** A run that the ledger has, as far as lists draw it. */
const RunOfTurn = z.object({
  provider: z.string(),
  outcome: z.enum(RUN_STATUSES),
  error_code: z.string().nullable(),
  latency_ms: z.int().nullable(),
});

/** One interaction in the list of a session. */
export const ConsoleTurn = z.object({
  id: uuidOut,
  ...firstInput,
  /** Queries or URLs in the request. null: the request is too long to count them here. */
  input_count: z.int().nullable(),
  goal: z.string().nullable(),
  outcome: z.enum(INTERACTION_OUTCOMES),
  created_at: dateTimeOut,
  completed_at: dateTimeOut,
  user_id: z.string().nullable(),
  key_id: z.string(),
  /** The search that it repeats, as its metadata says; null also where that is too long to read. */
  replay_of: z.string().nullable(),
  runs: z.array(RunOfTurn),
  ...cost,
});
export type ConsoleTurn = z.output<typeof ConsoleTurn>;

export const ConsoleTurns = z.object({
  /** Oldest first. */
  turns: z.array(ConsoleTurn),
  next_after: uuidOut.nullable(),
});
export type ConsoleTurns = z.output<typeof ConsoleTurns>;

/** What was paid to one provider, as the ledger has it. */
export const LedgerCall = z.object({
  run_id: uuidOut,
  provider: z.string(),
  batch_index: z.int().nullable(),
  /** Requests that may have reached the provider, retries included. */
  calls: z.int(),
  outcome: z.enum(RUN_STATUSES),
  error_code: z.string().nullable(),
  /** null = not known. */
  cost_usd: z.number().nullable(),
  cost_source: z.enum(['reported', 'price_list']).nullable(),
  latency_ms: z.int().nullable(),
  /** The last four characters of the provider's key; null without one that can be shown. */
  key_tail: z.string().nullable(),
});
export type LedgerCall = z.output<typeof LedgerCall>;

/** What the record of an interaction says besides the answer. */
export const ConsoleInteractionFacts = z.object({
  outcome: z.enum(INTERACTION_OUTCOMES),
  key: KeyOfRow,
  user_id: z.string().nullable(),
  calls: z.array(LedgerCall),
  /** The neighbours in its session; null at its ends. */
  previous_id: uuidOut.nullable(),
  next_id: uuidOut.nullable(),
});
export type ConsoleInteractionFacts = z.output<typeof ConsoleInteractionFacts>;

export const ConsoleInteraction = z.object({
  facts: ConsoleInteractionFacts,
  interaction: InteractionDetails,
});
export type ConsoleInteraction = z.output<typeof ConsoleInteraction>;

/** What there is to filter by, from the last days of the project. */
export const SessionFilterChoices = z.object({
  providers: z.array(z.string()),
  keys: z.array(KeyOfRow),
  user_ids: z.array(z.string()),
  /** There are more users than these. */
  users_are_cut: z.boolean(),
});
export type SessionFilterChoices = z.output<typeof SessionFilterChoices>;

export const SESSIONS_ROUTES = {
  listConsoleSessions: {
    method: 'GET',
    path: '/console/api/projects/{project_id}/sessions',
    summary: 'Sessions that meet some filters, or those of them that are new',
    access: 'viewer',
    params: z.object(project),
    query: ConsoleSessionsQuery,
    status: 200,
    response: ConsoleSessionList,
  },
  readConsoleSession: {
    method: 'GET',
    path: '/console/api/projects/{project_id}/sessions/{session_id}',
    summary: 'One session as in the list',
    access: 'viewer',
    params: z.object({ ...project, session_id: uuid }),
    status: 200,
    response: ConsoleSessionRow,
  },
  listConsoleTurns: {
    method: 'GET',
    path: '/console/api/projects/{project_id}/sessions/{session_id}/turns',
    summary: 'The interactions of a session, without what was found',
    access: 'viewer',
    params: z.object({ ...project, session_id: uuid }),
    query: z.object({ after: optional(uuid) }),
    status: 200,
    response: ConsoleTurns,
  },
  readConsoleInteraction: {
    method: 'GET',
    path: '/console/api/projects/{project_id}/interactions/{interaction_id}',
    summary: 'One interaction with what it cost',
    access: 'viewer',
    params: z.object({ ...project, interaction_id: uuid }),
    status: 200,
    response: ConsoleInteraction,
  },
  readSessionFilters: {
    method: 'GET',
    path: '/console/api/projects/{project_id}/session-filters',
    summary: 'Providers, keys and users to filter sessions by',
    access: 'viewer',
    params: z.object(project),
    status: 200,
    response: SessionFilterChoices,
  },
} as const satisfies Record<string, ConsoleRoute>;
