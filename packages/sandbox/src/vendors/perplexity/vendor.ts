import { defineVendor, listed } from '../../shell/declaration.ts';
import { dayOfAmerican, filterOf } from '../../shell/filters.ts';
import { finishRows, pagesFound } from '../../shell/rows.ts';
import { combination, type Problem } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import type { Incoming } from '../../util/http.ts';
import { isObject, type JsonObject, numberAt, textAt } from '../../util/json.ts';
import { diceFor, uuidFrom } from '../../util/seed.ts';
import { type Page, SANDBOX_NOW, textOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

function search(request: VendorRequest, asked: JsonObject): JsonObject {
  const lists = queriesOf(request).map((query) => rowsFor(request, asked, query));
  return {
    id: uuidFrom(request.fingerprint),
    // Several queries get a list of rows each; a single one gets its rows.
    results: Array.isArray(asked.query) ? lists : lists.flat(),
    server_time: asked.display_server_time === true ? `${SANDBOX_NOW}Z` : undefined,
  };
}

/** One query, or several in a list. */
function queriesOf(request: Incoming): readonly string[] {
  const body = request.json();
  return isObject(body) ? listed(body.query) : [];
}

function combinationProblems(asked: JsonObject): readonly Problem[] {
  const problems: Problem[] = [];
  if (Number(asked.max_results) > api.resultsMax && asked.search_type !== 'people') {
    problems.push(combination(`max_results must be at most ${api.resultsMax}`, 'max_results'));
  }
  const domains = Array.isArray(asked.search_domain_filter) ? asked.search_domain_filter : [];
  const excluded = domains.filter((domain) => String(domain).startsWith('-'));
  if (excluded.length > 0 && excluded.length < domains.length) {
    const message = 'search_domain_filter must allow or exclude, not both';
    problems.push(combination(message, 'search_domain_filter'));
  }
  return problems;
}

function rowsFor(request: VendorRequest, asked: JsonObject, query: string): readonly unknown[] {
  const count = numberAt(asked, 'max_results') ?? api.resultsDefault;
  const hosts = listed(asked.search_domain_filter);
  const filter = filterOf({
    include: hosts.filter((host) => !host.startsWith('-')),
    exclude: hosts.filter((host) => host.startsWith('-')).map((host) => host.slice(1)),
    after: dayOfAmerican(textAt(asked, 'search_after_date_filter')),
    before: dayOfAmerican(textAt(asked, 'search_before_date_filter')),
  });
  const pages = pagesFound(request, { query, count, filter, habits: api.habits });
  const characters = charactersPerRow(asked, pages.length);
  const rows = pages.map((page) => rowOf(page, characters));
  return finishRows(request, rows, api.members);
}

/** How much text each row gets: its share of the total budget, and at most the limit per page. */
function charactersPerRow(asked: JsonObject, rows: number): number {
  const overall = numberAt(asked, 'max_tokens') ?? api.tokensDefault;
  const perPage = numberAt(asked, 'max_tokens_per_page') ?? api.tokensPerPageDefault;
  return api.charactersPerToken * Math.min(perPage, Math.max(1, Math.floor(overall / rows)));
}

/**
 * Dates are days; one row in five does not have a date, and some lack the date of their last
 * change.
 */
function rowOf(page: Page, characters: number): JsonObject {
  const dice = diceFor('perplexity row', page.topic, page.id);
  const date = dice.chance(0.8) ? page.published.slice(0, 10) : null;
  const isLong = dice.chance(0.2);
  return {
    title: isLong ? `${page.title.slice(0, 24)} ...` : page.title,
    url: page.url,
    snippet: `# ${textOf(page)}`.slice(0, characters),
    date,
    last_updated: dice.chance(0.8) ? date : undefined,
  };
}

/** Perplexity's search API, without its other products. The message texts are ours. */
export const perplexity = defineVendor({
  api,
  readText: (request) => queriesOf(request).join('\n'),
  routes: [{ ...api.search, check: combinationProblems, answer: search }],
});
