import { joined } from '@trawl/base';
import type {
  InteractionsTable,
  LedgerTable,
  ProviderAnswersTable,
  RepeatsTable,
  SearchAnswersTable,
} from '@trawl/database';
import type { CountedAnswer, InteractionRecord, LedgerRecord, RunRecord } from '@trawl/router';

/**
 * The rows of a record as plain arrays, in the order of the columns below. They cross from the
 * calling thread to the recorder's: arrays of texts and numbers are copied several times faster
 * than objects.
 */
export interface RecordRows {
  readonly session: SessionClaim;
  readonly interaction: readonly Value[];
  readonly runs: readonly RunRow[];
  readonly answers: readonly (readonly Value[])[];
  readonly counted: readonly (readonly Value[])[];
  readonly ledger: readonly (readonly Value[])[];
  readonly repeat: readonly Value[] | null;
  /** The lease of the repeat, if it has one. */
  readonly repeatLeaseId: string | null;
  readonly budgetLeaseId: string | null;
}

export type Value = string | number | null;

/** What a record changes in its session. */
export interface SessionClaim {
  readonly interactionId: string;
  readonly id: string;
  readonly projectId: string;
  readonly createdAt: string;
  readonly completedAt: string;
}

export type RunRow = readonly [
  interactionId: string,
  kind: RunRecord['kind'],
  position: number,
  id: string,
  name: string,
  text: string,
];

export const INTERACTION_COLUMNS = [
  'id',
  'instance_id',
  'session_id',
  'project_id',
  'key_id',
  'user_id',
  'status',
  'outcome',
  'created_at',
  'completed_at',
  'normalized_schema_version',
  'trajectory_id',
  'parent_trajectory_id',
  'trajectory_goal',
  'user_input',
  'metadata',
  'routing',
  'request',
  'titles',
] as const satisfies readonly (keyof InteractionsTable)[];

export const RUN_COLUMNS = ['interaction_id', 'kind', 'position', 'id', 'name', 'body'] as const;

export const ANSWER_COLUMNS = [
  'interaction_id',
  'position',
  'project_id',
  'fingerprint',
  'answered_at',
  'cost_micros',
  'own_warnings',
  'hidden',
] as const satisfies readonly (keyof SearchAnswersTable)[];

export const COUNTED_COLUMNS = [
  'provider',
  'id',
  'project_id',
  'interaction_id',
  'answered_at',
  'others_found',
  'asked',
  'found',
  'fields',
  'filled',
] as const satisfies readonly (keyof ProviderAnswersTable)[];

export const LEDGER_COLUMNS = [
  'id',
  'project_id',
  'key_id',
  'user_id',
  'session_id',
  'interaction_id',
  'run_id',
  'provider',
  'created_at',
  'calls',
  'outcome',
  'cost_micros',
  'cost_source',
  'batch_index',
  'latency_ms',
  'error_code',
  'result_count',
  'key_tail',
  'cached_from',
  'saved_micros',
] as const satisfies readonly (keyof LedgerTable)[];

/** The place of a column in a ledger row. */
export const ledgerPlace = (column: (typeof LEDGER_COLUMNS)[number]): number =>
  LEDGER_COLUMNS.indexOf(column);

export const REPEAT_COLUMNS = [
  'key_id',
  'idempotency_key',
  'body_digest',
  'interaction_id',
  'created_at',
] as const satisfies readonly (keyof RepeatsTable)[];

/** @param countedAnswers those of its answers that are counted */
export function recordRows(
  record: InteractionRecord,
  countedAnswers: readonly CountedAnswer[] = record.counted ?? [],
): RecordRows {
  const { id, sessionId, projectId, createdAt, completedAt, repeat } = record;
  // pushed: what an optimized `map` returns counts as an array with holes, and crosses to the other
  // thread with its keys
  const runs: RunRow[] = [];
  const answers: (readonly Value[])[] = [];
  for (const run of record.runs) {
    const { kind, position, id: runId, name, text } = run;
    runs.push([id, kind, position, runId, name, typeof text === 'string' ? text : joined(text)]);
    if (run.kind !== 'preprocessor' || run.answer === undefined) continue;
    const { fingerprint, answeredAt, costMicros, ownWarnings, hidden } = run.answer;
    const facts = [fingerprint, answeredAt, costMicros, ownWarnings, hidden];
    answers.push([id, position, projectId, ...facts]);
  }
  const counted: (readonly Value[])[] = [];
  for (const one of countedAnswers) {
    const others = one.othersFound === null ? null : Number(one.othersFound);
    const counts = [others, one.asked, one.rows, one.fields, one.filled];
    counted.push([one.provider, one.id, projectId, id, completedAt, ...counts]);
  }
  const ledger: (readonly Value[])[] = [];
  for (const row of record.ledger) ledger.push(ledgerValues(row));
  return {
    session: { interactionId: id, id: sessionId, projectId, createdAt, completedAt },
    interaction: [
      id,
      record.instanceId,
      sessionId,
      projectId,
      record.keyId,
      record.userId,
      record.status,
      record.outcome,
      createdAt,
      completedAt,
      record.normalizedSchemaVersion,
      record.trajectoryId,
      record.parentTrajectoryId,
      record.trajectoryGoal,
      record.userInput,
      record.metadata,
      record.routing,
      record.request,
      titlesText(record.titles),
    ],
    runs,
    answers,
    counted,
    ledger,
    repeat: repeat ? [record.keyId, repeat.key, repeat.bodyDigest, id, createdAt] : null,
    repeatLeaseId: repeat?.leaseId ?? null,
    budgetLeaseId: record.budgetLeaseId ?? null,
  };
}

export function ledgerValues(row: LedgerRecord): readonly Value[] {
  return [
    row.id,
    row.projectId,
    row.keyId,
    row.userId,
    row.sessionId,
    row.interactionId,
    row.runId,
    row.provider,
    row.createdAt,
    row.calls,
    row.outcome,
    row.costMicros,
    row.costSource,
    row.batchIndex,
    row.latencyMs,
    row.errorCode,
    row.resultCount,
    row.keyTail,
    row.cachedFrom,
    row.savedMicros,
  ];
}

/** The values of a ledger row by their columns. */
export function ledgerFields(row: LedgerRecord): Record<string, Value> {
  const values = ledgerValues(row);
  return Object.fromEntries(LEDGER_COLUMNS.map((column, at) => [column, values[at] ?? null]));
}

const TITLE_CHARACTERS = 500;
const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * JSON of the last title of each URL; null without titles. Not of an object: the engine would keep
 * each URL as a name.
 */
function titlesText(titles: InteractionRecord['titles']): string | null {
  if (titles.length === 0) return null;
  const last = new Map<string, string>();
  for (const { url, title } of titles) last.set(url, title.slice(0, TITLE_CHARACTERS));
  const text = objectText(last);
  // U+0000 and half a surrogate pair, which databases refuse, are escapes in JSON
  if (!text.includes('\\u0000') && !text.includes('\\ud')) return text;
  return objectText([...last].map(([url, title]) => [url, storableTitle(title)]));
}

function objectText(titles: Iterable<readonly [url: string, title: string]>): string {
  const members: string[] = [];
  for (const [url, title] of titles) members.push(`${quoted(url)}:${quoted(title)}`);
  return `{${members.join(',')}}`;
}

/** Any character that JSON may have to escape. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** A text as JSON. Most need no escape: to see that takes half the time of `JSON.stringify`. */
const quoted = (text: string): string => (ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`);

const storableTitle = (title: string): string =>
  title.replaceAll('\u0000', '\uFFFD').replace(LONE_SURROGATE, '\uFFFD');
