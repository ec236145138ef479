import { defineVendor, refuse } from '../../shell/declaration.ts';
import { filterAt, filterOf, sitesIn } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { type Page, sentencesOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

const LONG_CHARACTERS = 4_000;

function resultOf(page: Page, limit: number): JsonObject {
  const dice = diceFor('keenable result', page.topic, page.id);
  const passage = sentencesOf(page, 'passage', 12).join('\n');
  return {
    title: page.title,
    url: page.url,
    description: dice.chance(0.9) ? '' : `About ${page.topic}`,
    snippet: passage.slice(0, limit),
    published_at: dice.chance(0.8) ? `${page.published}Z` : undefined,
    acquired_at: dice.chance(0.9) ? '2026-06-30T01:10:00Z' : undefined,
  };
}

function search(request: VendorRequest, asked: JsonObject): JsonObject {
  const query = String(asked.query);
  const days = filterAt(asked, {
    include: 'site',
    after: 'published_after',
    before: 'published_before',
  });
  const sites = sitesIn(query);
  const filter = days ?? filterOf(sites);
  const limit = Number(asked.snippet_max_length ?? LONG_CHARACTERS);
  const rowOf = (page: Page) => resultOf(page, limit);
  const count = Number(asked.max_results ?? api.countDefault);
  const results = rowsFound(request, api, { query, count, filter }, rowOf);
  return { query, mode: 'pro', results };
}

/**
 * Keenable's search with a key, and without one, where it wants a name. The texts of its errors are
 * ours.
 */
export const keenable = defineVendor({
  api,
  routes: [
    {
      ...api.search,
      isOpen: () => true,
      answer(request, asked) {
        if (!request.headers['x-keenable-title']) refuse({ status: 400, message: 'title header' });
        return search(request, asked);
      },
    },
    { ...api.search, path: api.keyedPath, answer: search },
  ],
});
