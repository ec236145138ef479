import type { Clock, ReportFault } from '@trawl/base';
import type { JsonObject, MergedList, PostprocessorRun } from '@trawl/contract';
import type { NormalizedRun } from '../normalize.ts';
import { fusedRows, newRows, pagesOf, rankFusion, titleOf } from './rank-fusion.ts';

/** A function over the runs of one query. It does not change them. */
export type Postprocessor = (runs: readonly NormalizedRun[]) => JsonObject;

export const POSTPROCESSORS: ReadonlyMap<string, Postprocessor> = new Map([
  ['rank_fusion', rankFusion],
  ['citations', citations],
]);

/**
 * The merged lists of a search. A fault costs the list of its query, not the paid runs.
 * @param seen pages that are left out; undefined = all are wanted
 */
export function mergeRuns(
  queries: readonly string[],
  runs: readonly NormalizedRun[],
  seen: ReadonlySet<string> | undefined,
  { reportFault }: { readonly reportFault: ReportFault },
): readonly MergedList[] {
  return queries.flatMap((_, batchIndex) => {
    const own = runs.filter(({ run }) => run.value.batch_index === batchIndex);
    try {
      const list = seen ? newRows(own, seen) : { rows: fusedRows(own) };
      return [{ batch_index: batchIndex, ...list }];
    } catch (cause) {
      reportFault(cause, 'the rows of a query could not be merged');
      return [];
    }
  });
}

interface PostprocessTools {
  readonly clock: Clock;
  readonly reportFault: ReportFault;
  readonly known?: ReadonlyMap<string, Postprocessor>;
}

/** One run per query and name, in batch order, then in the order of the names. */
export function runPostprocessors(
  names: readonly string[],
  queries: readonly string[],
  runs: readonly NormalizedRun[],
  { clock, reportFault, known = POSTPROCESSORS }: PostprocessTools,
): readonly PostprocessorRun[] {
  return queries.flatMap((query, batchIndex) => {
    const own = runs.filter(({ run }) => run.value.batch_index === batchIndex);
    return names.flatMap((name) => {
      const postprocess = known.get(name);
      if (!postprocess) return [];
      const startedAt = clock.now();
      const ending = attempt(name, () => postprocess(own), reportFault);
      return {
        id: clock.newId(),
        postprocessor_name: name,
        status: ending.error === null ? 'succeeded' : 'failed',
        batch_index: batchIndex,
        query,
        preprocessor_run_ids: own.map(({ run }) => run.value.id),
        output_payload: ending.output,
        error: ending.error,
        latency_ms: Math.max(0, Math.round(clock.now() - startedAt)),
      };
    });
  });
}

function attempt(name: string, postprocess: () => JsonObject, reportFault: ReportFault) {
  try {
    return { output: postprocess(), error: null };
  } catch (cause) {
    reportFault(cause, `postprocessor ${name} failed`);
    const message = `${name} failed on these results; report it with the interaction id`;
    return { output: {}, error: { code: 'internal_error', message, retryable: false } };
  }
}

/** Numbered sources of a query, and the same as text for a prompt. */
function citations(runs: readonly NormalizedRun[]): JsonObject {
  const sources = pagesOf(runs).map((page, index) => {
    const described = page.byRank.find(({ row }) => (row.summary ?? row.excerpt) !== null);
    return {
      index: index + 1,
      url: page.best.row.url,
      title: titleOf(page),
      snippet: described?.row.summary ?? described?.row.excerpt ?? null,
      providers: page.finds.map(({ provider }) => provider),
    };
  });
  const text = sources
    .map(({ index, url, title, snippet }) =>
      [
        `[${index}] ${title ?? url}`,
        ...(title === null ? [] : [url]),
        ...(snippet ?? '').split('\n'),
      ]
        .filter((line) => line.trim() !== '')
        .join('\n'),
    )
    .join('\n\n');
  return { sources, text };
}
