import { defineVendor, type Operation, unsupported } from '../../shell/declaration.ts';
import { finishRows, pagesFound } from '../../shell/rows.ts';
import type { Problem } from '../../shell/schema.ts';
import { filled } from '../../shell/templates.ts';
import { type VendorRequest, withEchoedKey } from '../../shell/vendor.ts';
import { jsonReply } from '../../util/http.ts';
import type { JsonObject } from '../../util/json.ts';
import answer from './answer.json' with { type: 'json' };
import api from './api.json' with { type: 'json' };
import { blocksOf, organicRow, ROW } from './rows.ts';

/** One page of Google; no parameter changes it. */
const PAGE_ROWS = 10;
const TOTAL = 23_620_000_000;
const HABITS = { tracking: 0.05, slash: 0.15, www: 0.1 };
const NOTHING_FOUND = "Google hasn't returned any results for this query.";

const search: Omit<Operation, 'path'> = {
  method: 'GET',
  parameters: api.search,
  combinations: api.combinations,
  answer(request) {
    const { query } = request;
    if (query.get('output') === 'html' || query.get('async') === 'true') {
      return unsupported('serpapi: output=html and async=true are not spoken here');
    }
    if (query.has('tbm') || query.has('json_restrictor')) {
      return unsupported('serpapi: tbm and json_restrictor are not spoken here');
    }
    return found(request, query);
  },
};

function found(request: VendorRequest, query: URLSearchParams): JsonObject {
  const q = query.get('q') ?? '';
  const start = Number(query.get('start') ?? 0);
  if (request.faults.rows === 'empty') {
    const error = withEchoedKey(request, NOTHING_FOUND);
    return { ...headOf(request, query), error };
  }
  const pages = pagesFound(request, { query: q, start, count: PAGE_ROWS, habits: HABITS });
  const rows = pages.map((page, index) => organicRow(page, index + 1));
  const { before, after } = blocksOf(q);
  return {
    ...headOf(request, query, TOTAL),
    ...before,
    organic_results: finishRows(request, rows, ROW),
    ...after,
    serpapi_pagination: { current: start / PAGE_ROWS + 1, next: nextPage(q, start) },
  };
}

function headOf(request: VendorRequest, query: URLSearchParams, total?: number): JsonObject {
  const id = request.fingerprint.slice(0, 24);
  const q = query.get('q') ?? '';
  return filled(answer.head, {
    ...answer.defaults,
    ...Object.fromEntries(query),
    id,
    archive: `https://serpapi.example.com/searches/${request.fingerprint.slice(24, 40)}/${id}`,
    encoded: encodeURIComponent(q),
    q,
    total,
    state: total === undefined ? 'Fully empty' : 'Results for exact spelling',
  });
}

function nextPage(q: string, start: number): string {
  const query = new URLSearchParams({ engine: 'google', q, start: String(start + PAGE_ROWS) });
  return `https://serpapi.example.com/search.json?${query}`;
}

/** The first problem in the vendor's words. */
function sentenceOf({ path: [name], kind, message }: Problem, query: URLSearchParams): string {
  if (kind === 'combination') return message;
  if (kind === 'unknown') return `Unsupported \`${name}\` parameter.`;
  if (kind === 'repeated') return `Repeated \`${name}\` parameter.`;
  return `Unsupported \`${query.get(String(name))}\` value of \`${name}\` parameter.`;
}

/** SerpApi with the engine google. The sentences that nothing depends on are ours. */
export const serpapi = defineVendor({
  slug: 'serpapi',
  api,
  readKey: ({ query }) => query.get('api_key') ?? undefined,
  readText: ({ query }) => query.get('q') ?? '',
  routes: ['/search', '/search.json'].map((path) => ({ ...search, path })),
  refusal([problem], { query }) {
    const isMissing = !problem || !query.get('q')?.trim();
    const message = isMissing ? 'Missing query `q` parameter.' : sentenceOf(problem, query);
    return { status: 400, message };
  },
  write: ({ status, message }) => jsonReply(status, { error: message }),
});
