import { type JsonText, readJson } from '@trawl/base';
import type { PreprocessorRun } from '@trawl/contract';
import { comparableUrl } from '@trawl/providers';

/** A result of a recorded interaction: a row of a search, or a page that was fetched. */
export interface HeldResult {
  /** Place of its run among the interaction's preprocessor runs. */
  readonly runPosition: number;
  readonly runId: string;
  readonly batchIndex: number;
  readonly provider: string;
  /** From 1. */
  readonly rank: number;
  /** null if the rows were requested without URLs. */
  readonly url: string | null;
  /** Comparable forms of the URLs that may name it. */
  readonly addresses: readonly string[];
}

/** The results of an interaction, by run and rank. Failed runs and pages have no results. */
export function heldResults(
  preprocessorRuns: readonly JsonText<PreprocessorRun>[],
): readonly HeldResult[] {
  return preprocessorRuns.flatMap((text, runPosition) => {
    const run = readJson(text);
    return resultsOf(run).flatMap((result, index): HeldResult[] => {
      if (result === null) return [];
      return [
        {
          runPosition,
          runId: run.id,
          batchIndex: run.batch_index,
          provider: result.provider,
          rank: index + 1,
          url: result.urls[0] ?? null,
          addresses: result.urls.map(addressOf),
        },
      ];
    });
  });
}

/** A row by what it may be called; null = a page that failed. */
type Result = { readonly provider: string; readonly urls: readonly string[] } | null;

function resultsOf({ preprocessor_name, output_payload: output }: PreprocessorRun): Result[] {
  if (output === null) return [];
  if ('results' in output) {
    return output.results.map(({ url }) => ({ provider: preprocessor_name, urls: listed(url) }));
  }
  return output.fetched_results.map(({ status, provider, url, canonical_url }) => {
    if (status === 'failed') return null;
    // a page names its provider, as its run is one for a whole chain
    return { provider: provider ?? preprocessor_name, urls: [url, ...listed(canonical_url)] };
  });
}

const listed = (url: string | null | undefined): string[] => (url == null ? [] : [url]);

/** A URL in the form in which two are compared. */
export function addressOf(url: string): string {
  return comparableUrl(url)?.url ?? url;
}
