import type { JsonObject } from '@trawl/contract';
import type { NormalizedRun } from '../normalize.ts';
import { pagesOf, titleOf } from './rank-fusion.ts';

/** Numbered sources of a query, and the same as text for a prompt. */
export function citations(runs: readonly NormalizedRun[]): JsonObject {
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
