import { defineVendor, refuse, type VendorFailure } from '../../shell/declaration.ts';
import { filterOf, rangeOf, sitesIn } from '../../shell/filters.ts';
import { finishRows, pagesFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { jsonReply, type VendorReply } from '../../util/http.ts';
import type { JsonObject } from '../../util/json.ts';
import { filled } from '../../util/templates.ts';
import answer from './answer.json' with { type: 'json' };
import api from './api.json' with { type: 'json' };
import { type BraveQuery, issuesOf, readQuery, type ValidationIssue } from './query.ts';
import { mixedOf, sectionsOf, webRow } from './rows.ts';

function search(request: VendorRequest): VendorReply {
  const { credential, query } = request;
  const loc = ['header', 'x-subscription-token'] as const;
  const noKey: ValidationIssue = { type: 'missing', loc, msg: 'Field required', input: null };
  const errors = [...(credential === 'missing' ? [noKey] : []), ...issuesOf(query)];
  if (errors.length > 0) return refuse({ status: 422, details: { errors } });
  if (credential === 'refused') {
    const message = 'The subscription token in the request is not valid';
    const details = { component: 'authentication' };
    return refuse({ status: 422, code: 'SUBSCRIPTION_TOKEN_INVALID', message, details });
  }
  if (credential === 'exhausted') return refuse({ ...api.failures[402], status: 429 });
  return jsonReply(200, found(request, readQuery(query)), limitHeaders());
}

function found(request: VendorRequest, asked: BraveQuery): JsonObject {
  const nothing = request.faults.rows === 'empty';
  const hasWeb = asked.filter?.has('web') ?? true;
  const { q: query, count, offset } = asked;
  const start = offset * count;
  const sites = asked.goggles ? asked.goggleSites : sitesIn(query);
  const filter = filterOf({ ...sites, ...rangeOf(asked.freshness) });
  const wanted = { query, start, count, filter, habits: api.habits };
  const pages = hasWeb ? pagesFound(request, wanted) : [];
  const rows = pages.map((page) => webRow(page, asked));
  const results = finishRows(request, rows, api.members);
  const sections = nothing ? new Map<string, JsonObject>() : sectionsOf(asked);
  const mutated_by_goggles = asked.goggles ? true : undefined;
  const web = { type: 'search', results, family_friendly: true, mutated_by_goggles };
  const hint = { vertical: 'generic', callback_key: request.fingerprint };
  return {
    query: filled(answer.query, {
      ...asked,
      spellcheck_off: !asked.spellcheck,
      operators: operatorsOf(query),
      nothing,
      more: !nothing && offset < 9,
    }),
    mixed: nothing ? undefined : mixedOf(rows.length, sections.keys()),
    type: 'search',
    ...Object.fromEntries(sections),
    web: hasWeb && !nothing ? web : undefined,
    summarizer: asked.summary ? { type: 'summarizer', key: JSON.stringify({ query }) } : undefined,
    rich: asked.richCallback ? { type: 'rich', hint } : undefined,
  };
}

/**
 * What the API says about operators in a query:
 * https://api-dashboard.search.brave.com/documentation/resources/search-operators
 */
function operatorsOf(query: string): JsonObject | undefined {
  const words = query.split(' ');
  const isOperator = (word: string) => /^(?:-?site|lang|loc):/.test(word);
  if (!words.some(isOperator)) return undefined;
  const cleaned_query = words.filter((word) => !isOperator(word)).join(' ');
  return { applied: true, cleaned_query, sites: sitesIn(query).include };
}

/**
 * Two windows, the second and the month, on every answer. A failure's title names the exhausted
 * one.
 */
function limitHeaders(failure?: VendorFailure): Readonly<Record<string, string>> {
  if (failure?.title === 'rate') return { ...api.limits, ...api.rateUsedUp };
  return failure?.title === 'quota' ? { ...api.limits, ...api.quotaUsedUp } : api.limits;
}

export const brave = defineVendor({
  api,
  readText: ({ query }) => query.get('q') ?? '',
  routes: [{ method: 'GET', path: '/res/v1/web/search', reply: search }],
  headers: limitHeaders,
});
