import { pagesFor } from '../content.ts';
import { gatewayPage, jsonReply, type Reply, sandboxError } from '../http.ts';
import type { JsonObject } from '../json.ts';
import { finishRows, rowCount } from '../rows.ts';
import { type Vendor, type VendorRequest, withEchoedKey } from '../vendor.ts';
import { blocksOf } from './serpapi/blocks.ts';
import { refusalOf } from './serpapi/query.ts';
import { organicRow, ROW_MEMBERS } from './serpapi/rows.ts';

/** SerpApi with the engine google, https://serpapi.com/search-api */
export const serpapi: Vendor = {
  slug: 'serpapi',
  docsUrl: 'https://serpapi.com/search-api',
  readKey: ({ query }) => query.get('api_key') ?? undefined,
  readText: ({ query }) => query.get('q') ?? '',
  routes: ['/search', '/search.json'].map((path) => ({ method: 'GET', path, answer: search })),
  fail,
};

/** https://serpapi.com/api-status-and-error-codes; the sentences that nothing depends on are ours. */
const FAILURES: Readonly<Record<number, string>> = {
  400: 'A parameter is missing or not supported.',
  401: 'Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key',
  403: 'This account may not do this.',
  404: 'There is no such resource.',
  405: 'There is no such resource for this method.',
  410: 'The search has expired.',
  429: 'You are exceeding the hourly throughput of your plan.',
  500: 'The server failed.',
};
const OUT_OF_SEARCHES = 'Your account has run out of searches.';
const NOTHING_FOUND = "Google hasn't returned any results for this query.";

/** One page of Google; no parameter changes it. */
const PAGE_ROWS = 10;
const URL_HABITS = { tracking: 0.05, slash: 0.15, www: 0.1 };

function search(request: VendorRequest): Reply {
  const { credential, query } = request;
  if (credential === 'missing' || credential === 'refused') return fail(request, 401);
  const refusal = refusalOf(query);
  if (refusal !== undefined) return failure(request, 400, refusal);
  if (credential === 'exhausted') return failure(request, 429, OUT_OF_SEARCHES);
  if (query.get('output') === 'html' || query.get('async') === 'true') {
    return sandboxError(501, 'serpapi: output=html and async=true are not spoken here');
  }
  if (query.has('tbm') || query.has('json_restrictor')) {
    return sandboxError(501, 'serpapi: tbm and json_restrictor are not spoken here');
  }
  return jsonReply(200, found(request, query));
}

function found(request: VendorRequest, query: URLSearchParams): JsonObject {
  const q = query.get('q') ?? '';
  const start = Number(query.get('start') ?? 0);
  if (request.faults.rows === 'empty') {
    return {
      ...headOf(request, query, 'Fully empty'),
      error: withEchoedKey(request, NOTHING_FOUND),
    };
  }
  const count = rowCount(request, PAGE_ROWS);
  const pages = pagesFor({ vendor: 'serpapi', query: q, start, count, habits: URL_HABITS });
  const rows = pages.map((page, index) => organicRow(page, index + 1));
  const { before, after } = blocksOf(q);
  return {
    ...headOf(request, query, 'Results for exact spelling'),
    ...before,
    organic_results: finishRows(request, rows, ROW_MEMBERS),
    ...after,
    serpapi_pagination: { current: start / PAGE_ROWS + 1, next: nextPage(q, start) },
  };
}

function headOf(request: VendorRequest, query: URLSearchParams, state: string): JsonObject {
  const id = request.fingerprint.slice(0, 24);
  const archive = `https://serpapi.example.com/searches/${request.fingerprint.slice(24, 40)}/${id}`;
  const q = query.get('q') ?? '';
  const or = (name: string, otherwise: string) => query.get(name) ?? otherwise;
  return {
    search_metadata: {
      id,
      status: 'Success',
      json_endpoint: `${archive}.json`,
      created_at: '2026-06-30 12:00:00 UTC',
      processed_at: '2026-06-30 12:00:00 UTC',
      google_url: `https://www.google.example.com/search?q=${encodeURIComponent(q)}`,
      raw_html_file: `${archive}.html`,
      total_time_taken: 1.42,
    },
    search_parameters: {
      engine: 'google',
      q,
      google_domain: or('google_domain', 'google.com'),
      hl: or('hl', 'en'),
      gl: or('gl', 'us'),
      device: or('device', 'desktop'),
    },
    search_information: {
      query_displayed: q,
      ...(state === 'Fully empty' ? {} : { total_results: 23_620_000_000 }),
      time_taken_displayed: 0.31,
      organic_results_state: state,
    },
  };
}

function nextPage(q: string, start: number): string {
  const query = new URLSearchParams({ engine: 'google', q, start: String(start + PAGE_ROWS) });
  return `https://serpapi.example.com/search.json?${query}`;
}

/** A text and no code; 502 to 504 come from a gateway in front, with a page. */
function fail(request: VendorRequest, status: number): Reply {
  if (status >= 502 && status <= 504) return gatewayPage(status);
  return failure(request, status, FAILURES[status] ?? 'The request could not be served.');
}

function failure(request: VendorRequest, status: number, message: string): Reply {
  return jsonReply(status, { error: withEchoedKey(request, message) });
}
