import { defineVendor } from '../../shell/declaration.ts';
import { filterAt } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { type JsonObject, numberAt, textAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { imageOf, type Page, sentencesOf, textOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

function rowOf(page: Page, index: number): JsonObject {
  const dice = diceFor('valyu row', page.topic, page.id);
  const content = `# ${textOf(page)}`;
  return {
    title: page.title,
    url: page.url,
    content,
    description: dice.chance(0.7) ? sentencesOf(page, 'description', 1)[0] : undefined,
    source: 'web',
    source_type: 'website',
    data_type: 'unstructured',
    length: content.length,
    price: api.webPrice,
    relevance_score: Math.max(0.5, 0.95 - index * 0.02),
    publication_date: dice.chance(0.7) ? page.published.slice(0, 10) : undefined,
    image_url: dice.chance(0.5) ? { main: imageOf(page, 'cover') } : {},
    authors: dice.chance(0.4) ? [page.author] : undefined,
  };
}

function search(request: VendorRequest, asked: JsonObject): JsonObject {
  const query = textAt(asked, 'query') ?? '';
  const count = numberAt(asked, 'max_num_results') ?? api.countDefault;
  const filter = filterAt(asked, api.filters);
  const results = rowsFound(request, api, { query, count, filter }, rowOf);
  return {
    success: true,
    error: null,
    tx_id: `tx_${request.fingerprint.slice(0, 12)}`,
    query,
    results,
    results_by_source: { web: results.length, proprietary: 0 },
    total_results: results.length,
    total_deduction_dollars: results.length * api.webPrice,
    total_characters: results.length * 5_000,
  };
}

/** Valyu's search of the web. The texts of its errors are ours. */
export const valyu = defineVendor({ api, routes: [{ ...api.search, answer: search }] });
