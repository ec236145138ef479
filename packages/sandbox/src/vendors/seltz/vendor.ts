import { defineVendor } from '../../shell/declaration.ts';
import { filterAt } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import { type JsonObject, numberAt, textAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { type Page, sentencesOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

/** The vendor does not document a maximum; this one keeps answers small. */
const RESULTS_MAX = 100;

function documentOf(page: Page): JsonObject {
  const isDated = diceFor('seltz document', page.topic, page.id).chance(0.8);
  return {
    url: page.url,
    content: sentencesOf(page, 'extract', 6).join(' '),
    published_date: isDated ? `${page.published.slice(0, 10)}T00:00:00Z` : null,
  };
}

/**
 * Seltz's search. The vendor documents statuses without bodies; the shape and the message texts are
 * ours.
 */
export const seltz = defineVendor({
  api,
  readKey: (request) => request.headers['x-api-key'] ?? textAt(request.json(), 'api_key'),
  routes: [
    {
      ...api.search,
      answer(request, asked) {
        const query = textAt(asked, 'query') ?? '';
        const count = Math.min(numberAt(asked, 'max_results') ?? api.resultsDefault, RESULTS_MAX);
        const kind = textAt(asked, 'scope') === 'news' ? 'news' : undefined;
        const filter = filterAt(asked, api.filters);
        // documents have no title: what is odd in titles is odd in their text
        return { documents: rowsFound(request, api, { query, count, kind, filter }, documentOf) };
      },
    },
  ],
});
