import { defineVendor } from '../../shell/declaration.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import type { Page } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

function personOf(page: Page): JsonObject {
  const dice = diceFor('orcid person', page.topic, page.id);
  const [given = null, family = null] = page.author.split(' ');
  const digits = String(1_000 + dice.below(8_999));
  const isPrivate = dice.chance(0.1);
  return {
    'orcid-id': `0000-0002-${digits}-${String(dice.below(9_999)).padStart(4, '0')}`,
    'given-names': isPrivate ? null : given,
    'family-names': isPrivate ? null : family,
    'credit-name': dice.chance(0.2) ? page.author : null,
    'other-name': [],
    email: dice.chance(0.2) ? ['someone@example.org'] : [],
    'institution-name': dice.chance(0.8) ? [page.site.name] : [],
  };
}

/** ORCID's public API. The texts of its errors are ours. */
export const orcid = defineVendor({
  api,
  readKey: () => undefined,
  routes: [
    {
      ...api.search,
      answer(request, asked) {
        const wanted = { query: String(asked.q), count: Number(asked.rows ?? api.rowsDefault) };
        const rows = rowsFound(request, { ...api, habits: {} }, wanted, personOf);
        // a list of nothing is null
        return { 'expanded-result': rows.length === 0 ? null : rows, 'num-found': rows.length };
      },
    },
  ],
});
