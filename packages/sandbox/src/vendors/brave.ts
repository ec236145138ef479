import { pagesFor, SANDBOX_NOW } from '../content.ts';
import { gatewayPage, jsonReply, type Reply } from '../http.ts';
import type { JsonObject } from '../json.ts';
import { finishRows, rowCount } from '../rows.ts';
import { uuidFrom } from '../seed.ts';
import { type Vendor, type VendorRequest, withEchoedKey } from '../vendor.ts';
import { type BraveQuery, issuesOf, readQuery, type ValidationIssue } from './brave/query.ts';
import { ROW_MEMBERS, webRow } from './brave/rows.ts';
import { mixedOf, sectionsOf } from './brave/sections.ts';

/** Brave Search API, https://api-dashboard.search.brave.com/app/documentation/web-search/get-started */
export const brave: Vendor = {
  slug: 'brave',
  docsUrl: 'https://api-dashboard.search.brave.com/app/documentation/web-search/get-started',
  readKey: ({ headers }) => headers['x-subscription-token'],
  readText: ({ query }) => query.get('q') ?? '',
  routes: [{ method: 'GET', path: '/res/v1/web/search', answer: search }],
  fail,
};

const PLAN = { name: 'Search', perSecond: 50, perMonth: 100_000 };
const MONTH_SECONDS = 2_592_000;
const MONTH_LEFT_SECONDS = 1_419_704;
const URL_HABITS = { www: 0.12, slash: 0.08 };

function search(request: VendorRequest): Reply {
  const missing: readonly ValidationIssue[] =
    request.credential === 'missing'
      ? [
          {
            type: 'missing',
            loc: ['header', 'x-subscription-token'],
            msg: 'Field required',
            input: null,
          },
        ]
      : [];
  const issues = [...missing, ...issuesOf(request.query)];
  if (issues.length > 0) {
    return failure(request, 422, 'VALIDATION', 'The request parameters are not valid', {
      errors: issues,
    });
  }
  if (request.credential === 'refused') {
    const detail = 'The subscription token in the request is not valid';
    return failure(request, 422, 'SUBSCRIPTION_TOKEN_INVALID', detail, {
      component: 'authentication',
    });
  }
  if (request.credential === 'exhausted') return limited(request, 429, 'quota');
  return jsonReply(200, found(request, readQuery(request.query)), limitHeaders('none'));
}

function found(request: VendorRequest, asked: BraveQuery): JsonObject {
  const nothing = request.faults.rows === 'empty';
  const wanted = (section: string) => asked.filter?.has(section) ?? true;
  const count = wanted('web') ? rowCount(request, asked.count) : 0;
  const pages = pagesFor({
    vendor: 'brave',
    query: asked.q,
    start: asked.offset * asked.count,
    count,
    habits: URL_HABITS,
  });
  const rows = finishRows(
    request,
    pages.map((page) => webRow(page, asked)),
    ROW_MEMBERS,
  );
  const sections = nothing ? new Map() : sectionsOf(asked);
  const mutated = asked.goggles ? { mutated_by_goggles: true } : {};
  return {
    query: queryOf(asked, nothing),
    ...(nothing ? {} : { mixed: mixedOf(rows.length, sections.keys()) }),
    type: 'search',
    ...Object.fromEntries(sections),
    ...(wanted('web') && !nothing
      ? { web: { type: 'search', results: rows, family_friendly: true, ...mutated } }
      : {}),
    ...(asked.summary
      ? { summarizer: { type: 'summarizer', key: JSON.stringify({ query: asked.q }) } }
      : {}),
    ...(asked.richCallback
      ? { rich: { type: 'rich', hint: { vertical: 'generic', callback_key: request.fingerprint } } }
      : {}),
  };
}

/** Comes back whatever the filter is. */
function queryOf(asked: BraveQuery, nothing: boolean): JsonObject {
  return {
    original: asked.q,
    show_strict_warning: false,
    is_navigational: false,
    is_news_breaking: false,
    spellcheck_off: !asked.spellcheck,
    country: asked.country,
    bad_results: nothing,
    should_fallback: false,
    postal_code: '',
    city: '',
    header_country: '',
    more_results_available: !nothing && asked.offset < 9,
    state: '',
  };
}

/** Two windows, the second and the month, on every answer. */
function limitHeaders(used: 'none' | 'rate' | 'quota'): Readonly<Record<string, string>> {
  const { perSecond, perMonth } = PLAN;
  const second = used === 'rate' ? 0 : perSecond - 1;
  const month = used === 'quota' ? 0 : perMonth - 1;
  return {
    'x-ratelimit-limit': `${perSecond}, ${perMonth}`,
    'x-ratelimit-policy': `${perSecond};w=1, ${perMonth};w=${MONTH_SECONDS}`,
    'x-ratelimit-remaining': `${second}, ${month}`,
    'x-ratelimit-reset': `1, ${MONTH_LEFT_SECONDS}`,
  };
}

/** One shape for all errors; a gateway in front answers 502 to 504 with a page. */
function fail(request: VendorRequest, status: number): Reply {
  switch (status) {
    case 402:
      return limited(request, 402, 'quota');
    case 429:
      return limited(request, 429, 'rate');
    case 502:
    case 503:
    case 504:
      return gatewayPage(status, limitHeaders('none'));
    default: {
      const [code, detail, component] = FAILURES[status] ?? ['ERROR', 'The request failed'];
      return failure(request, status, code, detail, component ? { component } : {});
    }
  }
}

const FAILURES: Readonly<
  Record<number, readonly [code: string, detail: string, component?: string]>
> = {
  400: ['OPTION_NOT_IN_PLAN', 'An option is not part of this plan', 'authentication'],
  401: ['SUBSCRIPTION_TOKEN_INVALID', 'The subscription token is not valid', 'authentication'],
  403: [
    'SUBSCRIPTION_TOKEN_INVALID',
    'The subscription token belongs to another plan',
    'authentication',
  ],
  404: ['NOT_FOUND', 'There is no such resource'],
  405: ['METHOD_NOT_ALLOWED', 'This method is not allowed here'],
  422: ['VALIDATION', 'The request parameters are not valid'],
  500: ['INTERNAL_SERVER_ERROR', 'The server failed'],
};

function limited(request: VendorRequest, status: number, used: 'rate' | 'quota'): Reply {
  const { name, perSecond, perMonth } = PLAN;
  const meta = {
    plan: name,
    rate_limit: perSecond,
    rate_current: used === 'rate' ? perSecond : 1,
    quota_limit: perMonth,
    quota_current: used === 'quota' ? perMonth : 1,
    org_rate_limit: null,
    org_rate_current: 0,
    component: 'rate_limiter',
  };
  const detail =
    used === 'rate' ? 'The rate limit of the plan is exceeded' : 'The quota of the plan is used up';
  return failure(request, status, 'RATE_LIMITED', detail, meta, used);
}

function failure(
  request: VendorRequest,
  status: number,
  code: string,
  detail: string,
  meta: JsonObject,
  used: 'none' | 'rate' | 'quota' = 'none',
): Reply {
  const id = uuidFrom(request.fingerprint);
  const error = { id, status, code, detail: withEchoedKey(request, detail), meta };
  const time = Date.parse(`${SANDBOX_NOW}Z`) / 1_000;
  return jsonReply(status, { type: 'ErrorResponse', error, time }, limitHeaders(used));
}
