import { defineVendor, type Operation } from '../../shell/declaration.ts';
import { finishRows, pagesFound } from '../../shell/rows.ts';
import { jsonReply } from '../../util/http.ts';
import { type JsonObject, numberAt, textAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { type Page, sentencesOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

const RESULTS_DEFAULT = 10;
/** The vendor does not document a maximum; this one keeps answers small. */
const RESULTS_MAX = 100;

const search: Operation = {
  method: 'POST',
  path: '/v1/search',
  parameters: api.search,
  answer(request, asked) {
    const pages = pagesFound(request, {
      query: textAt(asked, 'query') ?? '',
      count: Math.min(numberAt(asked, 'max_results') ?? RESULTS_DEFAULT, RESULTS_MAX),
      habits: api.habits,
      kind: textAt(asked, 'scope') === 'news' ? 'news' : undefined,
    });
    // documents have no title: what is odd in titles is odd in their text
    return { documents: finishRows(request, pages.map(documentOf), api.members) };
  },
};

function documentOf(page: Page): JsonObject {
  const isDated = diceFor('seltz document', page.topic, page.id).chance(0.8);
  return {
    url: page.url,
    content: sentencesOf(page, 'extract', 6).join(' '),
    published_date: isDated ? `${page.published.slice(0, 10)}T00:00:00Z` : null,
  };
}

/** Seltz's search. The vendor documents statuses without bodies; the shape and the message texts are ours. */
export const seltz = defineVendor({
  slug: 'seltz',
  api,
  readKey: (request) => request.headers['x-api-key'] ?? textAt(request.json(), 'api_key'),
  routes: [search],
  refusal: ([problem]) => ({
    status: 400,
    message:
      problem?.kind === 'body'
        ? 'The request body must be a JSON object.'
        : `Invalid request: ${problem?.message}.`,
  }),
  write: ({ status, message }) => jsonReply(status, { error: message }),
});
