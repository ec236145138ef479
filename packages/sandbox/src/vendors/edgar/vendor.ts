import { defineVendor, refuse } from '../../shell/declaration.ts';
import { filterOf } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import type { Page } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

function hitOf(page: Page): JsonObject {
  const dice = diceFor('edgar hit', page.topic, page.id);
  const cik = String(1_000_000 + dice.below(900_000)).padStart(10, '0');
  const year = page.published.slice(2, 4);
  const adsh = `${cik}-${year}-${String(dice.below(99_999)).padStart(6, '0')}`;
  const name = page.title.replace(/\W+/g, ' ').trim();
  const isMain = dice.chance(0.6);
  const day = page.published.slice(0, 10);
  return {
    _index: 'edgar_file',
    _id: `${adsh}:${isMain ? 'main' : 'ex991'}.htm`,
    _score: 9 - dice.below(6),
    _source: {
      ciks: [cik],
      period_ending: day,
      file_num: ['001-00001'],
      display_names: [`${name}, Inc.  (SAND)  (CIK ${cik})`],
      xsl: null,
      sequence: isMain ? 1 : '2',
      root_forms: ['8-K'],
      file_date: day,
      biz_states: ['TX'],
      sics: ['4911'],
      form: '8-K',
      adsh,
      film_num: ['26000001'],
      biz_locations: ['Austin, TX'],
      file_type: isMain ? '8-K' : 'EX-99.1',
      file_description: isMain ? null : 'PRESS RELEASE',
      inc_states: ['DE'],
      items: ['2.02', '9.01'],
    },
  };
}

const HAS_EMAIL = /[^\s@(+]{1,64}@[^\s@)]{1,255}/;

/** The SEC's full-text search. It serves programs that name an e-mail address only. */
export const edgar = defineVendor({
  api,
  readKey: () => undefined,
  routes: [
    {
      ...api.search,
      answer(request, asked) {
        if (!HAS_EMAIL.test(request.headers['user-agent'] ?? '')) refuse({ status: 403 });
        const { q, startdt, enddt } = asked;
        // its blank search is an answer with an error
        if (q === undefined || q === '') return { error: 'Blank search not valid' };
        const filter = filterOf({
          after: typeof startdt === 'string' ? startdt : undefined,
          before: typeof enddt === 'string' ? enddt : undefined,
        });
        const wanted = { query: String(q), count: api.pageRows, filter };
        const hits = rowsFound(request, { ...api, habits: {} }, wanted, hitOf);
        return {
          took: 60,
          timed_out: false,
          hits: { total: { value: hits.length, relation: 'eq' }, max_score: 9, hits },
          aggregations: {},
        };
      },
    },
  ],
});
