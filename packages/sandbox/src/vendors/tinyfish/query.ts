/** Query parameters: https://docs.tinyfish.ai/search-api/reference */

/** One entry of `details` of an INVALID_INPUT answer. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What is expected of a value that is not it; undefined when it is fine. */
type ParameterCheck = (value: string) => string | undefined;

const PURPOSE_CHARACTERS_MAX = 2_000;
const DATE_BOUNDS = ['after_date', 'before_date'];

function integer(least: number, most: number): ParameterCheck {
  return (value) =>
    /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : `an integer from ${least} to ${most}`;
}

const like =
  (pattern: RegExp, expected: string): ParameterCheck =>
  (value) =>
    pattern.test(value) ? undefined : expected;

const day: ParameterCheck = (value) =>
  new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value
    ? undefined
    : 'a date as YYYY-MM-DD';

const domains = like(/^[^,\s]+(,[^,\s]+)*$/, 'domains separated by commas');

const CHECKS: Readonly<Record<string, ParameterCheck>> = {
  query: like(/\S/, 'a non-empty string'),
  page: integer(0, 10),
  location: like(/^[A-Za-z]{2}$/, 'a country code'),
  language: like(/^[A-Za-z]{2,3}(-[A-Za-z]{2,4})?$/, 'a language code'),
  recency_minutes: integer(1, 5_256_000),
  after_date: day,
  before_date: day,
  domain_type: like(/^(web|news|research_paper)$/, 'one of web, news, research_paper'),
  include_domains: domains,
  exclude_domains: domains,
  pub_year_min: integer(0, 9_999),
  purpose: (value) =>
    value.length <= PURPOSE_CHARACTERS_MAX
      ? undefined
      : `at most ${PURPOSE_CHARACTERS_MAX} characters`,
};

/** Everything that is wrong with the query string. */
export function issuesOf(parameters: URLSearchParams): readonly Issue[] {
  const missing = parameters.has('query')
    ? []
    : [{ path: ['query'], message: 'query is required' }];
  const wrong = [...new Set(parameters.keys())].flatMap((name) => {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
    if (!check) return { path: [name], message: `${name} is not a known parameter` };
    const [value = '', ...others] = parameters.getAll(name);
    if (others.length > 0) return { path: [name], message: `${name} must be given once` };
    const expected = check(value);
    return expected === undefined ? [] : { path: [name], message: `${name} must be ${expected}` };
  });
  return [...missing, ...wrong, ...combinationIssues(parameters)];
}

function combinationIssues(parameters: URLSearchParams): readonly Issue[] {
  const issues: Issue[] = [];
  const report = (name: string, message: string) => issues.push({ path: [name], message });
  const isPaper = parameters.get('domain_type') === 'research_paper';
  const bounds = DATE_BOUNDS.filter((name) => parameters.has(name));
  const isRecent = parameters.has('recency_minutes');
  const [after, before] = DATE_BOUNDS.map((name) => parameters.get(name));
  if (isRecent && bounds.length > 0) report('recency_minutes', 'not together with date bounds');
  if (after && before && after > before) report('after_date', 'after_date is after before_date');
  if (isPaper && (isRecent || bounds.length > 0)) report('domain_type', 'papers take no dates');
  if (!isPaper && parameters.has('pub_year_min')) report('pub_year_min', 'for papers only');
  return issues;
}
