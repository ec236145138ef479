/** https://docs.parallel.ai/api-reference/extract/extract */
import type { JsonObject, Warning } from '@trawl/contract';
import { z } from 'zod';
import { defineFetch, type FetchPlan, pageCapabilities } from '../declaration/fetch.ts';
import {
  codeOfTargetStatus,
  httpStatusOf,
  type PageReading,
  remarks,
  shortReason,
  verdict,
} from '../parsed/page.ts';
import { pageReader } from '../parsed/page-table.ts';
import { joinedPassages } from '../parsed/table.ts';
import { objects } from '../values/json.ts';
import { text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';
import { parallelUsage } from './shared.ts';

/** The shortest age of a copy that can be asked for, in seconds. */
const SHORTEST_AGE = 600;

const NO_OBJECTIVE: Warning = {
  code: 'upstream_warning',
  message: 'parallel was given no search objective, so its excerpts are not chosen for one',
};
const COPY_ALLOWED: Warning = {
  code: 'upstream_warning',
  message: `parallel may have served a copy of up to ${SHORTEST_AGE} seconds; it accepts no lower age`,
};

function fetchPolicy({ noCache, maxAgeSeconds }: FetchPlan): JsonObject | null {
  if (noCache) return { max_age_seconds: SHORTEST_AGE, disable_cache_fallback: true };
  return maxAgeSeconds === null ? null : { max_age_seconds: Math.max(SHORTEST_AGE, maxAgeSeconds) };
}

interface Answer {
  readonly results: readonly unknown[];
  readonly errors?: unknown;
  readonly extract_id?: unknown;
  readonly warnings?: unknown;
  readonly usage?: unknown;
}

const remarksOn = ({ noCache }: FetchPlan, warnings: unknown): readonly Warning[] => [
  NO_OBJECTIVE,
  ...(noCache ? [COPY_ALLOWED] : []),
  ...remarks('parallel', warnings),
];

const pageIn = pageReader({
  content: 'full_content',
  title: 'title',
  canonical_url: 'url',
  publish_date: 'publish_date',
  excerpt: { at: 'excerpts', read: joinedPassages },
});

const readPage = (row: JsonObject, answer: Answer, plan: FetchPlan): PageReading =>
  pageIn(row, plan.url, {
    request_id: text(answer.extract_id),
    usage: parallelUsage(answer.usage),
    remarks: remarksOn(plan, answer.warnings),
  });

/** The error type says little; only a status of "gone" counts as a statement about the page. */
function readError(error: JsonObject | undefined, answer: Answer): PageReading {
  const status = httpStatusOf(error?.http_status_code);
  const code = codeOfTargetStatus(status) === 'not_found' ? 'not_found' : 'provider_error';
  const type = shortReason(error?.error_type, error ? 'unnamed_error' : 'no_result').slice(0, 76);
  const reason = status === null ? type : `${type} ${status}`;
  const more = { content: text(error?.content), usage: parallelUsage(answer.usage) };
  return verdict(code, reason, status, more);
}

const comparable = (url: unknown): string =>
  (absoluteUrl(url, null) ?? text(url) ?? '').replace(/\/$/, '');

const rowOf = (rows: unknown, url: string): JsonObject | undefined =>
  objects(rows).find((row) => comparable(row.url) === comparable(url));

function readAnswer(answer: Answer, plan: FetchPlan): PageReading {
  const { results, errors } = answer;
  const row = rowOf(results, plan.url);
  if (row) return readPage(row, answer, plan);
  const error = rowOf(errors, plan.url);
  // one page was asked for, so a row with another address, as after a redirect, is still that page
  const [first] = error ? [] : objects(results);
  return first ? readPage(first, answer, plan) : readError(error ?? objects(errors)[0], answer);
}

export const parallelFetch = defineFetch({
  description: 'Whole pages and PDFs as markdown, with publish date and excerpts.',
  docsUrl: 'https://docs.parallel.ai/api-reference/extract/extract',
  chain: 'default',
  lowestMaxAgeSeconds: SHORTEST_AGE,
  contentFormats: ['markdown'],
  capabilities: pageCapabilities({
    supplied: [
      'title',
      'canonical_url',
      'request_id',
      'publish_date',
      'usage',
      'excerpt',
      'enrichments',
    ],
    onFailure: ['http_status'],
  }),
  timeoutMs: 75_000,
  concurrency: 16,
  price: (_plan, _page, rates) => ({ usd: rates.fetch_page ?? 0, kind: 'known' }),
  failedPages: 'unknown',
  request: (plan) => {
    const policy = fetchPolicy(plan);
    return {
      method: 'POST',
      path: '/v1/extract',
      body: {
        urls: [plan.url],
        advanced_settings: { full_content: true, ...(policy ? { fetch_policy: policy } : {}) },
      },
    };
  },
  response: z.looseObject({ results: z.array(z.unknown()) }),
  parse: readAnswer,
});
