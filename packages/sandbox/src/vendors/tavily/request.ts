import { bool, type Check, integer, listOf, members, oneOf, text, textLike } from '../../check.ts';
import { isObject, isTrueAt, type JsonObject, textAt } from '../../json.ts';

const QUERY_CHARACTERS_MAX = 400;

const flagOr =
  (...names: readonly string[]): Check =>
  (value, path) =>
    typeof value === 'string' ? oneOf(...names)(value, path) : bool(value, path);
const day = textLike(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'a date as YYYY-MM-DD');

/** Parameters: https://docs.tavily.com/documentation/api-reference/endpoint/search */
const PARAMETERS: Readonly<Record<string, Check>> = {
  query: textLike(/\S/, 'a non-empty string'),
  max_results: integer(0, 20),
  search_depth: oneOf('basic', 'advanced', 'fast', 'ultra-fast'),
  chunks_per_source: integer(1, 3),
  topic: oneOf('general', 'news', 'finance'),
  time_range: oneOf('day', 'week', 'month', 'year', 'd', 'w', 'm', 'y'),
  start_date: day,
  end_date: day,
  days: integer(1, 3_650),
  max_hours: integer(1, 87_600),
  include_published_date: bool,
  filter_by_published_date: bool,
  include_answer: flagOr('basic', 'advanced'),
  include_raw_content: flagOr('markdown', 'text'),
  include_images: bool,
  include_image_descriptions: bool,
  include_favicon: bool,
  include_domains: listOf(text(1), 300),
  exclude_domains: listOf(text(1), 150),
  include_domains_mode: oneOf('restrict', 'prefer', 'filter', 'boost'),
  country: textLike(/^[a-z][a-z ]+$/, 'the lower-case English name of a country'),
  language: text(2),
  filter_by_language: bool,
  auto_parameters: bool,
  exact_match: bool,
  include_usage: bool,
  safe_search: bool,
  fetch_timeout: integer(1, 60),
  cache_fallback: bool,
};

const body = members(PARAMETERS, ['query']);

/** Why a body is refused; undefined when it is a valid search. */
export function refusalOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'The request body must be a JSON object.';
  const [problem] = body(value, []);
  if (problem) return `Invalid request: ${problem.message}.`;
  if ([...(textAt(value, 'query') ?? '')].length > QUERY_CHARACTERS_MAX) {
    return `The query is too long: the maximum is ${QUERY_CHARACTERS_MAX} characters.`;
  }
  return combinationRefusal(value);
}

function combinationRefusal(value: JsonObject): string | undefined {
  const depth = textAt(value, 'search_depth') ?? 'basic';
  const topic = textAt(value, 'topic') ?? 'general';
  const isSet = (name: string) => (value[name] ?? null) !== null;
  if (isSet('chunks_per_source') && depth === 'ultra-fast') {
    return 'chunks_per_source is not supported with search_depth ultra-fast.';
  }
  if (isTrueAt(value, 'safe_search') && (depth === 'fast' || depth === 'ultra-fast')) {
    return `safe_search is not supported with search_depth ${depth}.`;
  }
  if (isSet('country') && topic !== 'general') return 'country needs topic general.';
  return isSet('days') && topic !== 'news' ? 'days needs topic news.' : undefined;
}
