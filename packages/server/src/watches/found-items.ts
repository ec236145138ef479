import { hash } from 'node:crypto';
import type { InteractionResponse, PreprocessorRun } from '@trawl/contract';
import { addressOf } from '@trawl/router';
import type { FoundItem, WatchFound } from '@trawl/store';

/**
 * The URLs of a search, or the texts of pages, that a run had, and what answered. A URL is the same
 * from every provider and for every query.
 */
export const foundOf = ({ preprocessor_runs }: InteractionResponse): WatchFound => ({
  answered: preprocessor_runs.flatMap(answeredOf),
  items: preprocessor_runs.flatMap(itemsOf),
});

/** A provider that had nothing answered too; a page is a source once it has a text. */
function answeredOf(run: PreprocessorRun): readonly string[] {
  const { output_payload: output } = run;
  return output !== null && 'results' in output ? [searchSource(run)] : [];
}

function itemsOf(run: PreprocessorRun): readonly FoundItem[] {
  const { preprocessor_name: provider, batch_index, output_payload: output } = run;
  if (output === null) return [];
  if ('results' in output) {
    const source = searchSource(run);
    return output.results.flatMap(({ url, title = null }): FoundItem[] => {
      if (url == null) return [];
      return [
        {
          source,
          item: hashOf('result', addressOf(url)),
          body: { kind: 'result', url, title, provider, batch_index, content_sha256: null },
        },
      ];
    });
  }
  return output.fetched_results.flatMap((row): FoundItem[] => {
    const { url, title, status, content_sha256 = null } = row;
    if (status === 'failed' || content_sha256 === null) return [];
    const address = addressOf(url);
    return [
      {
        source: hashOf('page', address),
        item: hashOf('content', address, content_sha256),
        body: { kind: 'content', url, title, provider: row.provider, batch_index, content_sha256 },
      },
    ];
  });
}

const searchSource = ({ preprocessor_name: provider, batch_index }: PreprocessorRun): string =>
  hashOf('source', provider, String(batch_index));

/** A URL has no line breaks, and neither have the other parts. */
const hashOf = (...parts: readonly string[]): string => hash('sha256', parts.join('\n'), 'hex');
