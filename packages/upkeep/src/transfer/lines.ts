import { z } from 'zod';

/** The form of the lines. It changes when an older import could no longer read them. */
export const FORMAT = 1;

const time = z.iso.datetime({ precision: 3 });
const id = z.string().min(1).max(256);
const text = z.string();
const integer = z.int();

/** A text of JSON: as JSON in the member, or as it is in `<member>_text`. See `jsonMember`. */
const anyJson = z.unknown();

const run = z.object({
  kind: z.enum(['preprocessor', 'postprocessor']),
  position: integer,
  id,
  name: text,
  body: anyJson,
  body_text: text.optional(),
});

const feedback = z.object({
  run_position: integer,
  rank: integer,
  run_id: id,
  batch_index: integer,
  provider: text,
  url: text.nullable(),
  verdict: z.enum(['used', 'right', 'wrong']),
  user_id: text.nullable(),
  note: text.nullable(),
  created_at: time,
});

const repeat = z.object({
  key_id: id,
  idempotency_key: text,
  body_digest: text,
  created_at: time,
});

const interaction = z.object({
  type: z.literal('interaction'),
  id,
  session_id: id,
  instance_id: id,
  key_id: id,
  user_id: text.nullable(),
  status: z.enum(['succeeded', 'partially_succeeded', 'failed']),
  created_at: time,
  completed_at: time,
  normalized_schema_version: integer.nullable(),
  trajectory_id: id,
  parent_trajectory_id: text.nullable(),
  trajectory_goal: text.nullable(),
  user_input: anyJson,
  user_input_text: text.optional(),
  metadata: anyJson,
  metadata_text: text.optional(),
  routing: anyJson,
  routing_text: text.optional(),
  titles: anyJson,
  titles_text: text.optional(),
  runs: z.array(run),
  feedback: z.array(feedback),
  repeat: repeat.nullable(),
});

const ledgerRow = z.object({
  id,
  key_id: id,
  user_id: text.nullable(),
  session_id: id,
  interaction_id: id,
  run_id: id,
  provider: text,
  created_at: time,
  calls: integer,
  outcome: z.enum(['succeeded', 'failed']),
  cost_micros: integer.nullable(),
  cost_source: z.enum(['reported', 'price_list']).nullable(),
  batch_index: integer.nullable(),
  latency_ms: integer.nullable(),
  error_code: text.nullable(),
  result_count: integer.nullable(),
});

const header = z.object({
  type: z.literal('trawl_export'),
  format: integer,
  project: z.object({
    id,
    name: text,
    created_at: time,
    rate_limit: integer.nullable(),
    monthly_budget_micros: integer.nullable(),
    retention_days: integer.nullable(),
  }),
});

const key = z.object({ type: z.literal('key'), id, name: text, last_four: text, created_at: time });
const ledger = z.object({ type: z.literal('ledger'), rows: z.array(ledgerRow) });
const end = z.object({ type: z.literal('end'), interactions: integer, ledger_rows: integer });

export const line = z.discriminatedUnion('type', [header, key, interaction, ledger, end]);

export type Line = z.infer<typeof line>;
export type HeaderLine = z.infer<typeof header>;
export type KeyLine = z.infer<typeof key>;
export type InteractionLine = z.infer<typeof interaction>;
export type LedgerLine = z.infer<typeof ledger>;

type JsonMember<Name extends string> = { [member in Name]: unknown } & {
  [member in `${Name}_text`]?: string;
};

/**
 * A stored text of JSON as members of a line. It is written as JSON where reading and writing it again gives the same
 * text, so that other programs can use it, and otherwise as a text.
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
