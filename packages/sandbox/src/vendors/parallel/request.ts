import {
  bool,
  type Check,
  integer,
  isoDate,
  listOf,
  members,
  oneOf,
  type Problem,
  text,
} from '../../check.ts';
import { isObject, type JsonObject, numberAt, objectAt, textAt } from '../../json.ts';

const DOMAINS_MAX = 200;
const EXCERPT_CHARACTERS_LEAST = 1_000;
/** Countries that results can be located in; others only earn a warning. */
const LOCATIONS = ['us', 'gb', 'de', 'fr', 'es', 'it', 'nl', 'ca', 'au', 'in', 'jp', 'br'];

export const amount = integer(1, Number.MAX_SAFE_INTEGER);

export const queries: Check = (value, path) =>
  Array.isArray(value) && value.length === 0
    ? [{ path, message: `${path.join('.')} must hold at least one query` }]
    : listOf(text(1, 200), 5)(value, path);

const sourcePolicy: Check = (value, path) => {
  const own = members({
    include_domains: listOf(text(1)),
    exclude_domains: listOf(text(1)),
    after_date: isoDate,
  })(value, path);
  if (own.length > 0 || !isObject(value)) return own;
  const domains = [value.include_domains, value.exclude_domains].flat().filter(Boolean);
  return domains.length > DOMAINS_MAX
    ? [{ path, message: `${path.join('.')} may name at most ${DOMAINS_MAX} domains` }]
    : [];
};

/** How old a page may be, and how long a live fetch of it may take. */
export const fetchPolicy = members({
  max_age_seconds: integer(600, Number.MAX_SAFE_INTEGER),
  timeout_seconds: (value, path) =>
    typeof value === 'number' && value > 0
      ? []
      : [{ path, message: `${path.join('.')} must be a positive number` }],
  disable_cache_fallback: bool,
});

/** Parameters: https://docs.parallel.ai/api-reference/search/search */
const body = members(
  {
    search_queries: queries,
    objective: text(0, 5_000),
    mode: oneOf('turbo', 'fast', 'basic', 'advanced'),
    max_chars_total: amount,
    session_id: text(0, 1_000),
    client_model: text(),
    advanced_settings: members({
      max_results: amount,
      excerpt_settings: members({ max_chars_per_result: amount }),
      fetch_policy: fetchPolicy,
      location: text(2, 2),
      source_policy: sourcePolicy,
    }),
  },
  ['search_queries'],
);

/** Everything that is wrong with a body. */
export function problemsOf(value: unknown): readonly Problem[] {
  return isObject(value)
    ? body(value, [])
    : [{ path: [], message: 'the request body must be a JSON object' }];
}

/** What is accepted but not done as asked. */
export function warningsOf(value: JsonObject): readonly JsonObject[] {
  const settings = objectAt(value, 'advanced_settings');
  const location = textAt(settings, 'location')?.toLowerCase();
  const characters = numberAt(objectAt(settings, 'excerpt_settings'), 'max_chars_per_result');
  const warning = (message: string) => ({
    type: 'input_validation_warning',
    message,
    detail: null,
  });
  return [
    ...(location !== undefined && !LOCATIONS.includes(location)
      ? [warning(`The location ${location} is not supported and is ignored`)]
      : []),
    ...(characters !== undefined && characters < EXCERPT_CHARACTERS_LEAST
      ? [warning(`max_chars_per_result is raised to ${EXCERPT_CHARACTERS_LEAST}`)]
      : []),
  ];
}
