import { defineVendor } from '../../shell/declaration.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor, digest } from '../../util/seed.ts';
import type { Page } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

function recordOf(page: Page, country: string): JsonObject {
  const dice = diceFor('gleif record', page.topic, page.id);
  const letters = digest('lei', page.topic, page.id).toUpperCase();
  const lei = `${letters.slice(0, 18)}${10 + dice.below(80)}`;
  const status = dice.chance(0.8) ? 'ACTIVE' : 'INACTIVE';
  return {
    type: 'lei-records',
    id: lei,
    attributes: {
      lei,
      entity: {
        legalName: { name: page.title, language: 'en' },
        otherNames: dice.chance(0.3)
          ? [{ name: `${page.title} plc`, language: 'en', type: 'TRADING_OR_OPERATING_NAME' }]
          : [],
        legalAddress: { language: 'en', addressLines: ['Quay 1'], city: 'Northmere', country },
        jurisdiction: country,
        category: 'GENERAL',
        status,
        creationDate: `${page.published}Z`,
      },
      registration: { status: status === 'ACTIVE' ? 'ISSUED' : 'LAPSED' },
      bic: null,
    },
    relationships: {},
    links: { self: `https://api.gleif.org/api/v1/lei-records/${lei}` },
  };
}

/** GLEIF's API. The texts of its errors are ours. */
export const gleif = defineVendor({
  api,
  readKey: () => undefined,
  readText: ({ query }) => query.get('filter[fulltext]') ?? '',
  routes: [
    {
      ...api.search,
      answer(request, asked) {
        const perPage = Number(asked['page[size]'] ?? api.sizeDefault);
        const country = String(asked['filter[entity.legalAddress.country]'] ?? 'DE');
        const rowOf = (page: Page) => recordOf(page, country);
        const wanted = { query: String(asked['filter[fulltext]'] ?? ''), count: perPage };
        const data = rowsFound(request, { ...api, habits: {} }, wanted, rowOf);
        const [from, to] = data.length === 0 ? [null, null] : [1, data.length];
        const pagination = { currentPage: 1, perPage, from, to, total: data.length, lastPage: 1 };
        return {
          meta: { goldenCopy: { publishDate: '2026-06-30T00:00:00Z' }, pagination },
          links: { first: `https://api.gleif.org/api/v1/lei-records${request.search}` },
          data,
        };
      },
    },
  ],
});
