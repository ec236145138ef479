import { isJsonObject, type JsonObject } from '@trawl/contract';
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
  /** null where rows were asked for without URLs. */
  readonly url: string | null;
  /** Comparable forms of the URLs by which it may be called. */
  readonly addresses: readonly string[];
}

/** The results of an interaction, by run and rank. Failed runs and pages hold none. */
export function heldResults(preprocessorRuns: readonly string[]): readonly HeldResult[] {
  return preprocessorRuns.flatMap((text, runPosition) => {
    const run = JSON.parse(text) as JsonObject;
    const output = isJsonObject(run.output_payload) ? run.output_payload : {};
    const rows = (output.results ?? output.fetched_results ?? []) as readonly JsonObject[];
    return rows.flatMap((row, index): HeldResult[] => {
      if (row.status === 'failed') return [];
      return [
        {
          runPosition,
          runId: String(run.id),
          batchIndex: Number(run.batch_index),
          // a page says whose it is, as its run stands for a whole chain
          provider: String(row.provider ?? run.preprocessor_name),
          rank: index + 1,
          url: typeof row.url === 'string' ? row.url : null,
          addresses: [row.url, row.canonical_url].flatMap(addressOf),
        },
      ];
    });
  });
}

/** A URL in the form in which two are compared. */
export function addressOf(url: unknown): string[] {
  return typeof url === 'string' ? [comparableUrl(url)?.url ?? url] : [];
}
