/** The kind of file, in its first line. */
export const RUN_FORMAT = 'trawl-evaluation/1';

/** The first line of a run: what its rows have in common. */
export interface RunHead {
  readonly kind: 'head';
  readonly format: typeof RUN_FORMAT;
  readonly run_id: string;
  /** The session that has all searches and fetches of the run. */
  readonly session_id: string;
  readonly created_at: string;
  readonly trawl_version: string;
  readonly server: string;
  readonly set: { readonly name: string; readonly sha256: string };
  readonly k: number;
  readonly tier: string;
}

export interface FoundPage {
  readonly url: string;
  readonly title: string | null;
  readonly text: string | null;
}

/** One provider on one query. */
export interface SearchedRow {
  readonly kind: 'search';
  readonly query: string;
  readonly provider: string;
  readonly at: string;
  readonly interaction_id: string;
  /** Code of its failure; null = it answered. */
  readonly failure: string | null;
  readonly latency_ms: number | null;
  /** null = not known. */
  readonly cost_usd: number | null;
  /** The first k rows, best first. */
  readonly pages: readonly FoundPage[];
}

/** A gold page as it is today. `gone`: it or its host does not exist. `unread`: it may still. */
export interface GoldRow {
  readonly kind: 'gold';
  readonly url: string;
  readonly at: string;
  readonly status: 'read' | 'gone' | 'unread';
  readonly reason: string | null;
  readonly text: string | null;
}

/** One call of a model, known by the hash of what it was asked: equal questions are asked once. */
export interface ModelRow {
  readonly kind: 'answer' | 'grade';
  readonly prompt_sha256: string;
  readonly model: string;
  readonly at: string;
  /** Why there is no text; null = there is one. */
  readonly failure: string | null;
  readonly text: string | null;
  readonly tokens_in: number | null;
  readonly tokens_out: number | null;
  readonly latency_ms: number;
}

/** Whether the provider was asked: a circuit that is open, or a missing key, says nothing of it. */
export const wasSent = ({ failure, latency_ms: ms }: SearchedRow): boolean =>
  failure === null || ms !== null;

/** Of a call that was not sent and may be sent later. Strict filters leave one out for good. */
export const isOpen = (row: RunRow): boolean =>
  row.kind === 'search' && !wasSent(row) && row.failure !== 'not_run';

export type RunRow = SearchedRow | GoldRow | ModelRow;

/** A run as it is in its file. */
export interface RunFile {
  readonly head: RunHead;
  readonly rows: readonly RunRow[];
  /** Characters of the file up to the last whole line: what follows was cut. */
  readonly wholeLength: number;
}

const KINDS: readonly unknown[] = ['search', 'gold', 'answer', 'grade'];

/**
 * Reads the text of a run. A last line without its end was being written when the process ended,
 * and is left out.
 * @throws Error naming a line that is not one of a run
 */
export function readRunFile(text: string): RunFile {
  const wholeLength = text.lastIndexOf('\n') + 1;
  const [first, ...others] = text.slice(0, wholeLength).split('\n').slice(0, -1).map(lineValue);
  if (!isHead(first)) {
    throw new Error(`it is not a run of this version: its first line is not ${RUN_FORMAT}`);
  }
  const rows = others.map((row, index): RunRow => {
    if (isRow(row)) return row;
    throw new Error(`line ${index + 2} is not a row of a run; remove that line`);
  });
  return { head: first, rows, wholeLength };
}

function lineValue(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const isHead = (value: unknown): value is RunHead =>
  (value as RunHead | undefined)?.format === RUN_FORMAT;

const isRow = (value: unknown): value is RunRow =>
  KINDS.includes((value as RunRow | undefined)?.kind);

/** A call of a run, whichever line has it: the same call is never made twice. */
export const callKey = (row: RunRow): string => {
  if (row.kind === 'search') return searchKey(row.query, row.provider);
  return row.kind === 'gold' ? `gold ${row.url}` : `${row.kind} ${row.prompt_sha256}`;
};

export const searchKey = (query: string, provider: string): string =>
  `search ${JSON.stringify([query, provider])}`;
