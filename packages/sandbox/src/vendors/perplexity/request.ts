import {
  bool,
  type Check,
  integer,
  listOf,
  members,
  oneOf,
  type Problem,
  text,
  textLike,
} from '../../check.ts';
import { isObject, type JsonObject } from '../../json.ts';

/** One entry of a 422. */
export interface Issue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

const RESULTS_MAX = 20;
const TOKENS_MAX = 1_000_000;
const QUERIES_MAX = 5;

const oneQuery = textLike(/\S/, 'a non-empty string');
const query: Check = (value, path) =>
  !Array.isArray(value)
    ? oneQuery(value, path)
    : value.length === 0
      ? [{ path, message: 'query must hold at least one query' }]
      : listOf(oneQuery, QUERIES_MAX)(value, path);
const day = textLike(/^(0?[1-9]|1[0-2])\/(0?[1-9]|[12]\d|3[01])\/\d{4}$/, 'a date as MM/DD/YYYY');

/** Parameters: https://docs.perplexity.ai/api-reference/search-post */
const PARAMETERS: Readonly<Record<string, Check>> = {
  query,
  max_results: integer(1, Number.MAX_SAFE_INTEGER),
  max_tokens: integer(1, TOKENS_MAX),
  max_tokens_per_page: integer(1, TOKENS_MAX),
  country: textLike(/^[A-Za-z]{2}$/, 'a country code of two letters'),
  search_domain_filter: listOf(text(1, 253), 20),
  search_language_filter: listOf(textLike(/^[a-z]{2}$/, 'a language code of two letters'), 20),
  search_recency_filter: oneOf('hour', 'day', 'week', 'month', 'year'),
  search_after_date_filter: day,
  search_before_date_filter: day,
  last_updated_after_filter: day,
  last_updated_before_filter: day,
  search_mode: oneOf('web', 'academic', 'sec'),
  search_type: oneOf('web', 'people', 'fast'),
  search_context_size: oneOf('low', 'medium', 'high'),
  display_server_time: bool,
};

const body = members(PARAMETERS, ['query']);

/** What is wrong with a body, in the form of the vendor's framework; nothing when it is a valid search. */
export function issuesOf(value: unknown): readonly Issue[] {
  if (!isObject(value)) {
    return [{ loc: ['body'], msg: 'The body must be a JSON object', type: 'json_invalid' }];
  }
  return [...body(value, []), ...combinationProblems(value)].map(({ path, message }) => ({
    loc: ['body', ...path],
    msg: message,
    type: message.endsWith('is required') ? 'missing' : 'value_error',
  }));
}

function combinationProblems(value: JsonObject): readonly Problem[] {
  const problems: Problem[] = [];
  const report = (name: string, message: string) => problems.push({ path: [name], message });
  const isSet = (name: string) => (value[name] ?? null) !== null;
  if (Number(value.max_results) > RESULTS_MAX && value.search_type !== 'people') {
    report('max_results', `max_results must be at most ${RESULTS_MAX}`);
  }
  const isDated = ['search_after_date_filter', 'search_before_date_filter'].some(isSet);
  if (isSet('search_recency_filter') && isDated) {
    report('search_recency_filter', 'search_recency_filter does not go with date filters');
  }
  const domains = Array.isArray(value.search_domain_filter) ? value.search_domain_filter : [];
  const excluded = domains.filter((domain) => String(domain).startsWith('-'));
  if (excluded.length > 0 && excluded.length < domains.length) {
    report('search_domain_filter', 'search_domain_filter must allow or exclude, not both');
  }
  return problems;
}
