import {
  CONSOLE_LIMITS,
  INTERACTION_OUTCOMES,
  INTERACTION_STATUSES,
  LIMITS,
  MCP_LOGINS,
  UUID,
  VERDICTS,
  WebRules,
} from '@trawl/contract';
import { z } from 'zod';

/** The form of the lines. It changes when an older import could no longer read them. */
export const FORMAT = 1;

/** What a 32-bit column holds. */
const COUNT_MAX = 2 ** 31 - 1;
/** Ten times the highest cost that is believed of a provider, 1,000 US dollars. */
const COST_MICROS_MAX = 10_000_000_000;
/** The longest that the command accepts. */
const BUDGET_MICROS_MAX = 1e15;
const NAME_CHARACTERS = 128;
const TEXT_CHARACTERS = LIMITS.bodyBytes;

const time = z.iso.datetime({ precision: 3 });
/** As we write them: no path reaches an id in upper case. */
const id = z
  .string()
  .refine(
    (text) => UUID.test(text) && text === text.toLowerCase(),
    'expected a uuid in lower case',
  );
const count = z.int().min(0).max(COUNT_MAX);

export const UNSTORABLE = 'holds U+0000 or half a character';
/** Whether a text can be in a column: PostgreSQL refuses the others, and our SQLite too. */
export const isStorable = (one: string): boolean => !one.includes('\u0000') && one.isWellFormed();

/** A text as databases store it. */
const text = (charactersMax: number = TEXT_CHARACTERS) =>
  z.string().max(charactersMax).refine(isStorable, UNSTORABLE);
/** What is shown in one line, or is compared. */
const name = (charactersMax: number = NAME_CHARACTERS) =>
  text(charactersMax)
    .min(1)
    .regex(/^\P{Cc}*$/u, 'holds a control character');

/** A text of JSON: as JSON in the member, or as it is in `<member>_text`. See `jsonMember`. */
const anyJson = z.unknown();

const run = z.object({
  kind: z.enum(['preprocessor', 'postprocessor', 'merged']),
  position: count,
  id,
  name: name(),
  body: anyJson,
  body_text: z.string().optional(),
});

const feedback = z.object({
  run_position: count,
  rank: count.min(1),
  run_id: id,
  batch_index: count,
  provider: name(),
  url: text().nullable(),
  verdict: z.enum(VERDICTS),
  user_id: text(LIMITS.userIdCharacters).nullable(),
  note: text(LIMITS.noteCharacters).nullable(),
  created_at: time,
});

const repeat = z.object({
  key_id: id,
  idempotency_key: z.string().regex(/^[\x21-\x7e]{1,255}$/, 'expected printable ASCII'),
  body_digest: name(),
  created_at: time,
});

const interaction = z.object({
  type: z.literal('interaction'),
  id,
  session_id: id,
  instance_id: name(256),
  key_id: id,
  user_id: text(LIMITS.userIdCharacters).nullable(),
  status: z.enum(INTERACTION_STATUSES),
  /** Absent in files of earlier versions. */
  outcome: z.enum(INTERACTION_OUTCOMES).optional(),
  created_at: time,
  completed_at: time,
  normalized_schema_version: count.nullable(),
  trajectory_id: id,
  parent_trajectory_id: id.nullable(),
  trajectory_goal: text().nullable(),
  user_input: anyJson,
  user_input_text: z.string().optional(),
  metadata: anyJson,
  metadata_text: z.string().optional(),
  routing: anyJson,
  routing_text: z.string().optional(),
  /** Absent in files of earlier versions. */
  request: anyJson.optional(),
  request_text: z.string().optional(),
  titles: anyJson,
  titles_text: z.string().optional(),
  runs: z.array(run),
  feedback: z.array(feedback),
  repeat: repeat.nullable(),
});

const ledgerRow = z.object({
  id,
  key_id: id,
  user_id: text(LIMITS.userIdCharacters).nullable(),
  session_id: id,
  interaction_id: id,
  run_id: id,
  provider: name(),
  created_at: time,
  calls: count,
  outcome: z.enum(['succeeded', 'failed']),
  cost_micros: z.int().min(0).max(COST_MICROS_MAX).nullable(),
  cost_source: z.enum(['reported', 'price_list']).nullable(),
  batch_index: count.nullable(),
  latency_ms: count.nullable(),
  error_code: name().nullable(),
  result_count: count.nullable(),
  /** Absent in files of earlier versions. */
  key_tail: text(4).nullable().default(null),
  /** Absent in files of earlier versions. */
  cached_from: id.nullable().default(null),
  saved_micros: z.int().min(0).max(COST_MICROS_MAX).nullable().default(null),
});

function areWebRules(text: string): boolean {
  try {
    return WebRules.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

const header = z.object({
  type: z.literal('trawl_export'),
  format: z.int(),
  project: z.object({
    id,
    name: name(),
    created_at: time,
    rate_limit: z.int().min(1).max(CONSOLE_LIMITS.rateLimit).nullable(),
    monthly_budget_micros: z.int().min(0).max(BUDGET_MICROS_MAX).nullable(),
    retention_days: count.nullable(),
    /** Absent in files of earlier versions. */
    web_rules: z.string().refine(areWebRules, 'not web rules').nullable().default(null),
    mcp_login: z.enum(MCP_LOGINS).nullable().default(null),
    mcp_login_budget_micros: z.int().min(0).max(BUDGET_MICROS_MAX).nullable().default(null),
  }),
});

const key = z.object({
  type: z.literal('key'),
  id,
  name: name(),
  // keys without a secret have none: that of the console, and logins
  last_four: name(4).or(z.literal('')),
  created_at: time,
});
const ledger = z.object({ type: z.literal('ledger'), rows: z.array(ledgerRow) });
const end = z.object({ type: z.literal('end'), interactions: count, ledger_rows: count });

export const line = z.discriminatedUnion('type', [header, key, interaction, ledger, end]);

export type Line = z.infer<typeof line>;
export type HeaderLine = z.infer<typeof header>;
export type KeyLine = z.infer<typeof key>;
export type InteractionLine = z.infer<typeof interaction>;
export type RunLine = z.infer<typeof run>;
export type LedgerLine = z.infer<typeof ledger>;

type JsonMember<Name extends string> = { [member in Name]: unknown } & {
  [member in `${Name}_text`]?: string;
};

/**
 * A stored text of JSON as members of a line. It is written as JSON where reading and writing it
 * again gives the same text, so that other programs can use it, and otherwise as a text.
 */
export function jsonMember<Name extends string>(
  name: Name,
  stored: string | null,
): JsonMember<Name> {
  const value: unknown = stored === null ? null : JSON.parse(stored);
  const isSame = stored === null || JSON.stringify(value) === stored;
  const members = isSame ? { [name]: value } : { [name]: null, [`${name}_text`]: stored };
  return members as JsonMember<Name>;
}

/** The text that `jsonMember` was made from. */
export function storedJson(value: unknown, asText: string | undefined): string | null {
  if (asText !== undefined) return asText;
  return value === null || value === undefined ? null : JSON.stringify(value);
}
