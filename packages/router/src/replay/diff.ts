import { type JsonText, readJson } from '@trawl/base';
import {
  DIFF_TEXTS,
  type InteractionDiff,
  type JsonObject,
  type PreprocessorRun,
  type ResultRow,
  type RunDiff,
} from '@trawl/contract';
import { type LedgerRecord, usdOf } from '../billing/records.ts';
import { addressOf } from '../feedback/held-results.ts';
import type { StoredInteraction } from '../interaction/records.ts';
import { invalidAt } from '../requests/request-error.ts';

/** A recorded search with its costs. */
export interface ComparedSearch {
  readonly stored: StoredInteraction;
  readonly ledger: readonly LedgerRecord[];
}

/**
 * What differs between two searches, by query and provider. Queries are compared by their place in
 * the batch.
 * @throws RequestError 422 for an interaction that is no search
 */
export function diffOf(before: ComparedSearch, after: ComparedSearch): InteractionDiff {
  const first = searchOf(before, ['path', 'interaction_id']);
  const second = searchOf(after, ['query', 'with']);
  const count = Math.max(first.queries.length, second.queries.length);
  return {
    before: sideOf(before.stored),
    after: sideOf(after.stored),
    queries: Array.from({ length: count }, (_, index) => ({
      batch_index: index,
      before: first.queries[index] ?? null,
      after: second.queries[index] ?? null,
      runs: runDiffs(first, second, index),
    })),
  };
}

const sideOf = ({ id, sessionId, createdAt }: StoredInteraction) => ({
  interaction_id: id,
  session_id: sessionId,
  created_at: createdAt,
});

interface SearchFacts {
  readonly queries: readonly string[];
  readonly runs: readonly PreprocessorRun[];
  readonly costs: ReadonlyMap<string, number | null>;
}

/** @param place where the request names it */
function searchOf({ stored, ledger }: ComparedSearch, place: readonly string[]): SearchFacts {
  const { id, userInput, preprocessorRuns } = stored;
  const queries = userInput === null ? [] : queriesOf(userInput);
  if (queries.length === 0) {
    throw invalidAt(place, 'this interaction is not a search: only searches can be compared', id);
  }
  return {
    queries,
    runs: preprocessorRuns.map((text) => readJson(text)),
    costs: new Map(ledger.map(({ runId, costMicros }) => [runId, usdOf(costMicros)])),
  };
}

/** Empty for a fetch. */
function queriesOf(userInput: JsonText<JsonObject>): readonly string[] {
  const input = readJson(userInput);
  const all = Array.isArray(input.queries) ? input.queries : [input];
  return all.flatMap((one: JsonObject) => (typeof one.query === 'string' ? [one.query] : []));
}

function runDiffs(first: SearchFacts, second: SearchFacts, index: number): RunDiff[] {
  const ofQuery = ({ runs }: SearchFacts) =>
    new Map(
      runs
        .filter(({ batch_index }) => batch_index === index)
        .map((run) => [run.preprocessor_name, run]),
    );
  const [before, after] = [ofQuery(first), ofQuery(second)];
  return [...new Set([...before.keys(), ...after.keys()])].map((provider) => {
    const [earlier, later] = [before.get(provider), after.get(provider)];
    return {
      provider,
      before: earlier ? runSide(earlier, first) : null,
      after: later ? runSide(later, second) : null,
      ...rowDiff(rowsOf(earlier), rowsOf(later)),
    };
  });
}

const runSide = (run: PreprocessorRun, { costs }: SearchFacts) => ({
  run_id: run.id,
  status: run.status,
  error_code: run.error?.code ?? null,
  rows: rowsOf(run).length,
  latency_ms: run.latency_ms,
  cost_usd: costs.get(run.id) ?? null,
});

interface PlacedRow {
  readonly row: Partial<ResultRow>;
  readonly url: string;
  readonly title: string | null;
  readonly rank: number;
}

function rowsOf(run: PreprocessorRun | undefined): readonly Partial<ResultRow>[] {
  const output = run?.output_payload;
  return output && 'results' in output ? output.results : [];
}

type RowDiff = Pick<RunDiff, 'added' | 'gone' | 'moved' | 'changed' | 'same'>;

function rowDiff(
  before: readonly Partial<ResultRow>[],
  after: readonly Partial<ResultRow>[],
): RowDiff {
  const [first, second] = [placed(before), placed(after)];
  const only = (own: typeof first, other: typeof first) =>
    [...own]
      .filter(([address]) => !other.has(address))
      .map(([, { url, title, rank }]) => ({ url, title, rank }));
  const diff: RowDiff = {
    added: only(second, first),
    gone: only(first, second),
    moved: [],
    changed: [],
    same: 0,
  };
  for (const [address, now] of second) {
    const then = first.get(address);
    if (!then) continue;
    const { url, title, rank } = now;
    const texts = DIFF_TEXTS.filter((name) => (then.row[name] ?? null) !== (now.row[name] ?? null));
    if (then.rank !== rank) diff.moved.push({ url, title, from: then.rank, to: rank });
    if (texts.length > 0) {
      const titles = texts.includes('title') ? { before: then.title, after: title } : null;
      diff.changed.push({ url, rank, texts, title: titles });
    }
    if (then.rank === rank && texts.length === 0) diff.same += 1;
  }
  return diff;
}

/** By comparable URL, of two with the same the first. Rows without a URL are left out. */
function placed(rows: readonly Partial<ResultRow>[]): ReadonlyMap<string, PlacedRow> {
  const found = new Map<string, PlacedRow>();
  for (const [index, row] of rows.entries()) {
    const { url, title = null } = row;
    if (url === undefined) continue;
    const address = addressOf(url);
    if (!found.has(address)) found.set(address, { row, url, title, rank: index + 1 });
  }
  return found;
}
