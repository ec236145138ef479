import { refuse, type VendorRoute } from '../../shell/declaration.ts';
import { filterOf, sitesIn } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { type JsonObject, numberAt, textAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { imageOf, type Page, sentencesOf, textOf } from '../../web/pages.ts';
import { serpDate } from '../../web/serp.ts';
import api from './api.json' with { type: 'json' };

function rowOf(page: Page, hasText: boolean): JsonObject {
  const dice = diceFor('jina row', page.topic, page.id);
  const isRead = hasText && dice.chance(0.8);
  return {
    title: page.title,
    url: page.url,
    description: dice.chance(0.9) ? sentencesOf(page, 'snippet', 1)[0] : '',
    date: dice.chance(0.5) ? serpDate(page) : undefined,
    imageUrl: dice.chance(0.3) ? imageOf(page, 'thumbnail') : undefined,
    content: isRead ? textOf(page) : '',
    publishedTime: isRead ? `${page.published}+00:00` : undefined,
    usage: { tokens: 1_000 },
  };
}

function search(request: VendorRequest, asked: JsonObject): JsonObject {
  const query = textAt(asked, 'q') ?? '';
  const count = numberAt(asked, 'num') ?? numberAt(asked, 'count') ?? 10;
  const sites = sitesIn(query);
  const include = [asked.site].flat().filter((site) => typeof site === 'string');
  const filter = filterOf(include.length > 0 ? { ...sites, include, isSoft: true } : sites);
  const hasText = request.headers['x-respond-with'] !== 'no-content';
  const data = rowsFound(request, api.search, { query, count, filter }, (page) =>
    rowOf(page, hasText),
  );
  if (data.length === 0) {
    refuse({ status: 422, message: 'No search results available for this query' });
  }
  if (hasText && query.includes('unreadable pages')) {
    refuse({ status: 422, message: 'No content available for this query' });
  }
  const tokens = api.tokensPerTen * Math.max(1, hasText ? data.length : Math.ceil(count / 10));
  return { code: 200, status: 20_000, data, meta: { usage: { tokens } } };
}

/** The search of s.jina.ai, which shares the path with the reader: a body with `q` is a search. */
export const searchRoute: VendorRoute = {
  ...api.search,
  takes: (request) => textAt(request.json(), 'q') !== undefined,
  answer: search,
};
