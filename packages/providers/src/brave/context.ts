/**
 * The mode that returns passages of pages for a model:
 * https://api-dashboard.search.brave.com/documentation/services/llm-context
 */
import type { JsonObject } from '@trawl/contract';
import type { HttpCall } from '../declaration/call.ts';
import type { SearchPlan } from '../declaration/search.ts';
import { knownDate, rowReader } from '../parsed/rows.ts';
import { isoDate } from '../values/dates.ts';
import { object, objects } from '../values/json.ts';
import { joinedTexts, limitedTexts, openingOf, text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';

/** Whether overrides choose it. The word is ours, and never sent. */
export const isContext = ({ llm_context }: JsonObject): boolean => llm_context === true;

/** Results that it looks at, at least. */
const CONSIDERED = 20;
const TOKENS_OF_ROW = 1_024;
const TOKENS_MAX = 32_768;

export const contextRequest = ({ query, count }: SearchPlan): HttpCall => ({
  method: 'GET',
  path: '/res/v1/llm/context',
  query: {
    q: query,
    count: Math.max(CONSIDERED, count),
    maximum_number_of_urls: count,
    maximum_number_of_tokens: Math.min(TOKENS_MAX, TOKENS_OF_ROW * count),
    enable_local: false,
    enable_source_metadata: true,
  },
});

/** The call without our own word for the mode. */
export function withoutMode({ query, ...call }: HttpCall): HttpCall {
  const { llm_context: _, ...sent } = query ?? {};
  return { ...call, query: sent };
}

/** Passages may be JSON of the page: they are texts all the same. */
const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  favicon: 'source.favicon',
  dropped: 'all',
  more: ({ url, snippets, source }) => {
    const passages = limitedTexts(snippets);
    const { age, thumbnail, site_name } = object(source);
    const image = object(thumbnail);
    const name = text(site_name);
    return {
      summary: openingOf(passages[0] ?? null),
      excerpt: joinedTexts(passages, '\n\n'),
      date: knownDate(Array.isArray(age) ? isoDate(age[1]) : null),
      thumbnail: absoluteUrl(text(image.original) ?? image.src, url),
      enrichments: name === null ? {} : { site_name: name },
    };
  },
});

/** The rows of its answer; undefined = the answer is one of the other mode. */
export function contextRows({ grounding, sources }: JsonObject) {
  const { generic } = object(grounding);
  if (grounding === undefined || grounding === null) return undefined;
  const known = object(sources);
  const rows = objects(generic).map((row) => ({ ...row, source: known[text(row.url) ?? ''] }));
  return rowsIn(rows);
}
