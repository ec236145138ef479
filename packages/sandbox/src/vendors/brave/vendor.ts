import { defineVendor, refuse, type VendorFailure } from '../../shell/declaration.ts';
import { filterOf, rangeOf, sitesIn } from '../../shell/filters.ts';
import { finishRows, pagesFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { jsonReply, type VendorReply } from '../../util/http.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { filled } from '../../util/templates.ts';
import { imageOf, type Page, sentencesOf } from '../../web/pages.ts';
import answer from './answer.json' with { type: 'json' };
import api from './api.json' with { type: 'json' };
import {
  type BraveQuery,
  CONTEXT_PARAMETERS,
  issuesOf,
  readQuery,
  type ValidationIssue,
} from './query.ts';
import { mixedOf, sectionsOf, webRow } from './rows.ts';

function search(request: VendorRequest): VendorReply {
  checkCall(request, issuesOf(request.query));
  return jsonReply(200, searchAnswer(request, readQuery(request.query)), limitHeaders());
}

/** Ends with a failure if the key or the parameters are not valid. */
function checkCall({ credential }: VendorRequest, issues: readonly ValidationIssue[]): void {
  const loc = ['header', 'x-subscription-token'] as const;
  const noKey: ValidationIssue = { type: 'missing', loc, msg: 'Field required', input: null };
  const errors = [...(credential === 'missing' ? [noKey] : []), ...issues];
  if (errors.length > 0) refuse({ ...api.refusals.other, details: { errors } });
  if (credential === 'refused') {
    const message = 'The subscription token in the request is not valid';
    const details = { component: 'authentication' };
    refuse({ status: 422, code: 'SUBSCRIPTION_TOKEN_INVALID', message, details });
  }
  if (credential === 'exhausted') refuse({ ...api.failures[402], status: 429 });
}

/** Passages of pages, and facts about each page apart from them. */
function context(request: VendorRequest): VendorReply {
  checkCall(request, issuesOf(request.query, CONTEXT_PARAMETERS));
  const { q: query, freshness, goggleSites } = readQuery(request.query);
  const count = Number(request.query.get('maximum_number_of_urls') ?? 20);
  const hasMetadata = request.query.get('enable_source_metadata') === 'true';
  const filter = filterOf({ ...goggleSites, ...rangeOf(freshness) });
  const pages = pagesFound(request, { query, count, filter, habits: api.habits });
  const rows = pages.map((page) => ({
    url: page.url,
    title: page.title,
    snippets: sentencesOf(page, 'context', 3),
  }));
  const generic = finishRows(request, rows, api.members);
  const sources = pages.map((page) => [page.url, sourceOf(page, hasMetadata)] as const);
  const answered = { grounding: { generic, map: [] }, sources: Object.fromEntries(sources) };
  return jsonReply(200, answered, limitHeaders());
}

function sourceOf(page: Page, hasMetadata: boolean): JsonObject {
  const day = page.published.slice(0, 10);
  const isDated = diceFor('brave source', page.topic, page.id).chance(0.8);
  const metadata = {
    site_name: page.site.name,
    favicon: `https://${page.site.host}/favicon.ico`,
    thumbnail: { src: imageOf(page, 'small'), original: imageOf(page, 'cover') },
  };
  return {
    title: page.title,
    hostname: page.site.host,
    age: isDated ? [new Date(`${day}T00:00:00Z`).toDateString(), day, '5 days ago'] : null,
    ...(hasMetadata ? metadata : {}),
  };
}

function searchAnswer(request: VendorRequest, asked: BraveQuery): JsonObject {
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
  routes: [
    { ...api.search, reply: search },
    { ...api.context, reply: context },
  ],
  headers: limitHeaders,
});
