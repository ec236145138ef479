import { defineVendor, isSet, listed } from '../../shell/declaration.ts';
import { filterAt } from '../../shell/filters.ts';
import { finishRows, rowsFound } from '../../shell/rows.ts';
import { type Check, problemsOf } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { isObject, type JsonObject, numberAt, textAt, valueAt } from '../../util/json.ts';
import { diceFor, digest } from '../../util/seed.ts';
import { linksOf, type Page, sentencesOf } from '../../web/pages.ts';
import { split, type Target, type TargetAnswer, targetsOf } from '../../web/target.ts';
import { urlText } from '../../web/target-url.ts';
import { pageMarkdown } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };

const EXCERPT_LIMIT = 'advanced_settings.excerpt_settings.max_chars_per_result';

/** Pages are in `results`, everything else in `errors`. */
function extracted(request: VendorRequest, asked: JsonObject): JsonObject {
  const targets = targetsOf(request.faults, listed(asked.urls));
  const { got, errors } = split(targets, api.targets, errorOf);
  const rows = got.map((target) => extractRow(target, asked));
  const count = rows.length;
  const skus = ['sku_extract_excerpts', ...(wantsAll(asked) ? ['sku_extract_full_content'] : [])];
  return {
    extract_id: `extract_${request.fingerprint.slice(0, 32)}`,
    results: finishRows(request, rows, api.fetchMembers),
    errors,
    warnings: extractWarnings(asked),
    usage: count > 0 ? skus.map((name) => ({ name, count })) : null,
    session_id:
      textAt(asked, 'session_id') ?? `session_${digest('session', request.body).slice(0, 32)}`,
  };
}

function wantsAll(asked: JsonObject): boolean {
  const content = valueAt(asked, 'advanced_settings.full_content');
  return content === true || isObject(content);
}

function extractRow({ asked: url, page }: TargetAnswer, asked: JsonObject): JsonObject {
  const whole = pageMarkdown(page);
  const most = numberAt(asked, 'advanced_settings.full_content.max_chars_per_result');
  return {
    url,
    title: page.title,
    publish_date: page.published?.slice(0, 10) ?? null,
    excerpts: whole === '' ? [] : [whole.slice(0, api.excerptCharacters)],
    full_content: wantsAll(asked) ? whole.slice(0, most) : null,
  };
}

/** A fetch without an objective is accepted with a warning. */
function extractWarnings(asked: JsonObject): readonly JsonObject[] | null {
  if (isSet(asked.objective ?? asked.search_queries) || !wantsAll(asked)) return null;
  const message = 'No objective or search queries were given; the excerpts repeat the page';
  return [{ type: 'warning', message, detail: null }];
}

/** The documents only name the error type `fetch_error`. */
function errorOf(target: Target, error_type: string): JsonObject {
  const { asked: url, status: http_status_code = null } = target;
  const isBlocked = target.kind === 'answered' && target.status === 403;
  const content = isBlocked ? pageMarkdown(target.page) : null;
  return { url, error_type, http_status_code, content };
}

/** The objective, or the first query if there is no objective. */
function subjectOf(body: unknown): string {
  const queries = isObject(body) && Array.isArray(body.search_queries) ? body.search_queries : [];
  const [first] = queries.filter((query) => typeof query === 'string');
  return textAt(body, 'objective') ?? first ?? '';
}

function sourcePolicy(...[value, path]: Parameters<Check>): ReturnType<Check> {
  const problems = problemsOf(api.sourcePolicy, value, {}, path);
  if (problems.length > 0 || !isObject(value)) return problems;
  const domains = [value.include_domains, value.exclude_domains].flat().filter(Boolean);
  const message = `${path.join('.')} may name at most ${api.domainsMax} domains`;
  return domains.length > api.domainsMax ? [{ path, message, kind: 'invalid' }] : [];
}

function search(request: VendorRequest, asked: JsonObject): JsonObject {
  const count = numberAt(asked, 'advanced_settings.max_results') ?? api.resultsDefault;
  const query = subjectOf(asked);
  const filter = filterAt(asked, api.filters);
  const results = rowsFound(request, api, { query, count, filter }, (page) => rowOf(page, asked));
  const above = results.length - api.resultsIncluded;
  const warnings = warningsOf(asked);
  return {
    search_id: `search_${request.fingerprint.slice(0, 32)}`,
    results,
    warnings: warnings.length > 0 ? warnings : null,
    usage: [
      { name: 'sku_search', count: 1 },
      ...(above > 0 ? [{ name: 'sku_search_additional_results', count: above }] : []),
    ],
    session_id: textAt(asked, 'session_id') ?? `session_${digest('session', query).slice(0, 32)}`,
  };
}

/** Parameters that are accepted but not applied as requested. */
function warningsOf(asked: JsonObject): readonly JsonObject[] {
  const location = textAt(asked, 'advanced_settings.location')?.toLowerCase();
  const characters = numberAt(asked, EXCERPT_LIMIT);
  const isElsewhere = location !== undefined && !api.locations.includes(location);
  const isShort = characters !== undefined && characters < api.excerptCharactersLeast;
  const messages = [
    ...(isElsewhere ? [`The location ${location} is not supported and is ignored`] : []),
    ...(isShort ? [`max_chars_per_result is raised to ${api.excerptCharactersLeast}`] : []),
  ];
  return messages.map((message) => ({ type: 'input_validation_warning', message, detail: null }));
}

/** Dates are usually missing; titles and excerpts sometimes. */
function rowOf(page: Page, body: JsonObject): JsonObject {
  const dice = diceFor('parallel row', page.topic, page.id);
  const hasTitle = dice.chance(0.93);
  const hasDate = dice.chance(0.45);
  return {
    url: page.url,
    title: hasTitle ? page.title : null,
    publish_date: hasDate ? page.published.slice(0, 10) : null,
    excerpts: dice.chance(0.95) ? excerptsOf(page, body) : [],
  };
}

/**
 * Long pieces of markdown, some below an artificial heading, some with links relative to their
 * site.
 */
function excerptsOf(page: Page, body: JsonObject): readonly string[] {
  const dice = diceFor('parallel excerpts', page.topic, page.id);
  const asked = numberAt(body, EXCERPT_LIMIT) ?? Number.POSITIVE_INFINITY;
  const [link = ''] = linksOf(page, 1);
  let left = Math.max(asked, api.excerptCharactersLeast);
  return Array.from({ length: 1 + dice.below(3) }, (_, index) => {
    const plain = sentencesOf(page, `excerpt ${index}`, 4 + dice.below(5)).join(' ');
    const linked = `${plain} [Read on](${new URL(link).pathname}).`;
    return dice.chance(0.5) ? `Section Title: ${page.title}\nContent:\n${linked}` : linked;
  }).flatMap((excerpt) => {
    const kept = excerpt.slice(0, Math.max(0, left));
    left -= kept.length;
    return kept === '' ? [] : [kept];
  });
}

/**
 * Parallel. Statuses of https://docs.parallel.ai/resources/warnings-and-errors; the message texts
 * are ours.
 */
export const parallel = defineVendor({
  api,
  readText: (request) => `${subjectOf(request.json())} ${urlText(request.json())}`.trim(),
  routes: [
    { ...api.search, rules: { sourcePolicy }, answer: search },
    { ...api.extract, answer: extracted },
  ],
});
