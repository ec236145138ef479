import { defineVendor, type Operation } from '../../shell/declaration.ts';
import { finishRows, pagesFound } from '../../shell/rows.ts';
import { type Check, problemsOf } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { jsonReply } from '../../util/http.ts';
import { isObject, type JsonObject, numberAt, objectAt, textAt } from '../../util/json.ts';
import { diceFor, digest } from '../../util/seed.ts';
import { linksOf, type Page, sentencesOf } from '../../web/pages.ts';
import { urlText } from '../../web/target-url.ts';
import api from './api.json' with { type: 'json' };
import { extract } from './extract.ts';

const DOMAINS_MAX = 200;
const EXCERPT_CHARACTERS_LEAST = 1_000;
const RESULTS_DEFAULT = 10;
const RESULTS_INCLUDED = 10;
const HABITS = { tracking: 0.1, slash: 0.1, www: 0.15 };
const ROW = {
  title: 'title',
  url: 'url',
  date: 'publish_date',
  snippets: [{ name: 'excerpts', wrap: (value: string) => [value] }],
};

const search: Operation = {
  method: 'POST',
  path: '/v1/search',
  parameters: api.search,
  rules: { sourcePolicy },
  answer: found,
};

/** The objective says it best; without one the first of the queries. */
function subjectOf(body: unknown): string {
  const queries = isObject(body) && Array.isArray(body.search_queries) ? body.search_queries : [];
  const [first] = queries.filter((query) => typeof query === 'string');
  return textAt(body, 'objective') ?? first ?? '';
}

function sourcePolicy(...[value, path]: Parameters<Check>): ReturnType<Check> {
  const problems = problemsOf(api.sourcePolicy, value, {}, path);
  if (problems.length > 0 || !isObject(value)) return problems;
  const domains = [value.include_domains, value.exclude_domains].flat().filter(Boolean);
  const message = `${path.join('.')} may name at most ${DOMAINS_MAX} domains`;
  return domains.length > DOMAINS_MAX ? [{ path, message, kind: 'invalid' }] : [];
}

function found(request: VendorRequest, asked: JsonObject): JsonObject {
  const settings = objectAt(asked, 'advanced_settings');
  const count = numberAt(settings, 'max_results') ?? RESULTS_DEFAULT;
  const query = subjectOf(asked);
  const rows = pagesFound(request, { query, count, habits: HABITS }).map((page) =>
    rowOf(page, asked),
  );
  const above = rows.length - RESULTS_INCLUDED;
  const warnings = warningsOf(settings);
  return {
    search_id: `search_${request.fingerprint.slice(0, 32)}`,
    results: finishRows(request, rows, ROW),
    warnings: warnings.length > 0 ? warnings : null,
    usage: [
      { name: 'sku_search', count: 1 },
      ...(above > 0 ? [{ name: 'sku_search_additional_results', count: above }] : []),
    ],
    session_id: textAt(asked, 'session_id') ?? `session_${digest('session', query).slice(0, 32)}`,
  };
}

/** What is accepted but not done as asked. */
function warningsOf(settings: JsonObject | undefined): readonly JsonObject[] {
  const location = textAt(settings, 'location')?.toLowerCase();
  const characters = numberAt(objectAt(settings, 'excerpt_settings'), 'max_chars_per_result');
  const isElsewhere = location !== undefined && !api.locations.includes(location);
  const isShort = characters !== undefined && characters < EXCERPT_CHARACTERS_LEAST;
  const messages = [
    ...(isElsewhere ? [`The location ${location} is not supported and is ignored`] : []),
    ...(isShort ? [`max_chars_per_result is raised to ${EXCERPT_CHARACTERS_LEAST}`] : []),
  ];
  return messages.map((message) => ({ type: 'input_validation_warning', message, detail: null }));
}

/** Dates are missing more often than not; titles and excerpts now and then. */
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

/** Markdown in long pieces, some below an artificial heading, some with links relative to their site. */
function excerptsOf(page: Page, body: JsonObject): readonly string[] {
  const dice = diceFor('parallel excerpts', page.topic, page.id);
  const settings = objectAt(objectAt(body, 'advanced_settings'), 'excerpt_settings');
  const asked = numberAt(settings, 'max_chars_per_result') ?? Number.POSITIVE_INFINITY;
  const [link = ''] = linksOf(page, 1);
  let left = Math.max(asked, EXCERPT_CHARACTERS_LEAST);
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

/** Parallel. Statuses of https://docs.parallel.ai/resources/warnings-and-errors; the sentences are ours. */
export const parallel = defineVendor({
  slug: 'parallel',
  api,
  readKey: ({ headers }) => headers['x-api-key'],
  readText: (request) => `${subjectOf(request.json())} ${urlText(request.json())}`.trim(),
  routes: [search, extract],
  refusal: (problems) => {
    const errors = problems.map(({ path, message, kind }) => ({
      loc: path,
      msg: kind === 'body' ? 'the request body must be a JSON object' : message,
    }));
    return { status: 422, details: { errors } };
  },
  write({ status, message, details: detail = null }, { fingerprint }) {
    const ref_id = `search_${fingerprint.slice(0, 32)}`;
    return jsonReply(status, { type: 'error', error: { ref_id, message, detail } });
  },
});
