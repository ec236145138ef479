import { defineVendor, type Failure, type Operation } from '../../shell/declaration.ts';
import { finishRows, pagesFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { bearerToken, jsonReply, type Reply } from '../../util/http.ts';
import { type JsonObject, numberAt, textAt } from '../../util/json.ts';
import { diceFor, uuidFrom } from '../../util/seed.ts';
import { type Page, textOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

const RESULTS_DEFAULT = 10;
const DESCRIPTION_DEFAULT = 3_000;

const search: Operation = {
  method: 'POST',
  path: '/search',
  parameters: api.search,
  answer(request, asked) {
    const query = textAt(asked, 'query') ?? '';
    const count = numberAt(asked, 'maxResults') ?? RESULTS_DEFAULT;
    const length = numberAt(asked, 'maxDescriptionLength') ?? DESCRIPTION_DEFAULT;
    const pages = pagesFound(request, { query, count, habits: api.habits });
    const rows = pages.map((page) => rowOf(page, length));
    const milliseconds = 20 + diceFor('ceramic time', request.fingerprint).below(180);
    return {
      requestId: uuidFrom(request.fingerprint),
      result: {
        results: finishRows(request, rows, api.members),
        totalResults: rows.length,
        searchMetadata: { executionTime: milliseconds / 1_000 },
      },
    };
  },
};

function rowOf(page: Page, length: number): JsonObject {
  const hasTitle = diceFor('ceramic row', page.topic, page.id).chance(0.97);
  return {
    title: hasTitle ? page.title : '',
    url: page.url,
    description: textOf(page).slice(0, length),
  };
}

/** All errors have this shape. */
function write(failure: Failure, { fingerprint, faults }: VendorRequest): Reply {
  const { status, code, title, message } = failure;
  return jsonReply(status, {
    title,
    status,
    detail: message,
    requestId: uuidFrom(fingerprint),
    code,
    retry_after_seconds: status === 429 ? faults.retryAfterSeconds : undefined,
  });
}

/** Ceramic. Its only documented error code is `unsupported_parameter`; the others are ours. */
export const ceramic = defineVendor({
  slug: 'ceramic',
  api,
  readKey: bearerToken,
  routes: [search],
  refusal([problem]) {
    if (!problem || problem.kind === 'body') return { status: 400 };
    const code = problem.kind === 'unknown' ? 'unsupported_parameter' : 'invalid_parameter';
    return { status: 422, code, message: problem.message };
  },
  write,
});
