import { defineVendor } from '../../shell/declaration.ts';
import { filterOf } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { type Page, sentencesOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

const DAYS = /FIRST_PDATE:\[(\S{10}) TO (\S{10})\]/;
const FIELD = /\s{0,9}(?:AND )?\b(?:FIRST_PDATE|LANG):(?:\[[^\]]{0,99}\]|\w{1,20})/g;

function rowOf(page: Page): JsonObject {
  const dice = diceFor('europepmc row', page.topic, page.id);
  const day = page.published.slice(0, 10);
  const id = String(30_000_000 + dice.below(9_000_000));
  const lines = sentencesOf(page, 'abstract', 4);
  return {
    id,
    source: 'MED',
    pmid: id,
    doi: dice.chance(0.9) ? `10.5555/${id}` : undefined,
    title: `${page.title}.`,
    authorString: dice.chance(0.9) ? `${page.author}.` : undefined,
    journalInfo: { journal: { title: page.site.name }, yearOfPublication: Number(day.slice(0, 4)) },
    pubYear: day.slice(0, 4),
    abstractText: dice.chance(0.8) ? `<h4>Background</h4>${lines.join(' ')}` : undefined,
    affiliation: 'Electronic address: someone@example.org',
    language: 'eng',
    pubTypeList: { pubType: ['Journal Article'] },
    isOpenAccess: dice.chance(0.4) ? 'Y' : 'N',
    citedByCount: dice.below(50),
    firstIndexDate: day,
    firstPublicationDate: day,
  };
}

/** Europe PMC's search. The texts of its errors are ours. */
export const europepmc = defineVendor({
  api,
  readKey: () => undefined,
  routes: [
    {
      ...api.search,
      answer(request, asked) {
        const written = String(asked.query);
        const [, after, before] = DAYS.exec(written) ?? [];
        const query = written.replace(FIELD, '');
        const pageSize = Number(asked.pageSize ?? api.sizeDefault);
        const wanted = { query, count: pageSize, filter: filterOf({ after, before }) };
        const result = rowsFound(request, { ...api, habits: {} }, wanted, rowOf);
        return {
          version: '6.9',
          hitCount: result.length,
          request: { queryString: written, resultType: asked.resultType, pageSize },
          resultList: { result },
        };
      },
    },
  ],
});
