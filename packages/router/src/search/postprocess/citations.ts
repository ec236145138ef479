import type { JsonObject } from '@trawl/contract';
import type { NormalizedRun } from '../normalize.ts';
import { sharedUrls } from './shared-urls.ts';

/** Numbered sources of a query, and the same as text for a prompt. */
export function citations(runs: readonly NormalizedRun[]): JsonObject {
  const sources = sharedUrls(runs).map(({ url, title, snippet, finds }, index) => ({
    index: index + 1,
    url,
    title,
    snippet,
    providers: finds.map(({ provider }) => provider),
  }));
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
