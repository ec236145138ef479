import { defineVendor } from '../../shell/declaration.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import type { Page } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

function entityOf(page: Page, language: string): JsonObject {
  const dice = diceFor('wikidata entity', page.topic, page.id);
  const id = `Q${1_000 + dice.below(99_000_000)}`;
  return {
    id,
    title: id,
    pageid: dice.below(1_000_000),
    repository: 'wikidata',
    url: `//www.wikidata.org/wiki/${id}`,
    concepturi: `http://www.wikidata.org/entity/${id}`,
    label: page.title,
    description: dice.chance(0.8) ? `thing about ${page.topic}` : undefined,
    match: { type: 'label', language, text: page.title },
  };
}

/** Wikidata's search of entities. The texts of its errors are ours. */
export const wikidata = defineVendor({
  api,
  readKey: () => undefined,
  readText: ({ query }) => query.get('search') ?? '',
  routes: [
    {
      ...api.search,
      answer(request, asked) {
        const query = String(asked.search);
        const count = Number(asked.limit ?? api.limitDefault);
        if (query === api.unknownId) return api.noSuchEntity;
        const rowOf = (page: Page) => entityOf(page, String(asked.language));
        const search = rowsFound(request, { ...api, habits: {} }, { query, count }, rowOf);
        return { searchinfo: { search: query }, search, success: 1 };
      },
    },
  ],
});
