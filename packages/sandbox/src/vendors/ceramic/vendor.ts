import { defineVendor } from '../../shell/declaration.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { type JsonObject, numberAt, textAt } from '../../util/json.ts';
import { diceFor, uuidFrom } from '../../util/seed.ts';
import { type Page, textOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

function search(request: VendorRequest, asked: JsonObject): JsonObject {
  const query = textAt(asked, 'query') ?? '';
  const count = numberAt(asked, 'maxResults') ?? api.resultsDefault;
  const length = numberAt(asked, 'maxDescriptionLength') ?? api.descriptionDefault;
  const results = rowsFound(request, api, { query, count }, (page) => rowOf(page, length));
  const milliseconds = 20 + diceFor('ceramic time', request.fingerprint).below(180);
  const searchMetadata = { executionTime: milliseconds / 1_000 };
  return {
    requestId: uuidFrom(request.fingerprint),
    result: { results, totalResults: results.length, searchMetadata },
  };
}

function rowOf(page: Page, length: number): JsonObject {
  const hasTitle = diceFor('ceramic row', page.topic, page.id).chance(0.97);
  const description = textOf(page).slice(0, length);
  return { title: hasTitle ? page.title : '', url: page.url, description };
}

/** Ceramic. Its only documented error code is `unsupported_parameter`; the others are ours. */
export const ceramic = defineVendor({
  api,
  routes: [{ ...api.search, answer: search }],
});
