/** Parameters: https://docs.searxng.org/dev/search_api.html */

/** Whether a value is valid; the instance itself refuses some parameters only, the rest is our strictness. */
type ParameterCheck = (value: string) => boolean;

const like =
  (pattern: RegExp): ParameterCheck =>
  (value) =>
    pattern.test(value);
const names = like(/^[^,]+(,[^,]+)*$/);
const pluginsOrEngines = like(/^([^,]+(,[^,]+)*)?$/);

const CHECKS: Readonly<Record<string, ParameterCheck>> = {
  q: like(/\S/),
  categories: names,
  engines: names,
  language: like(/^([a-z]{2,3}(-[a-zA-Z]{2})?|auto)$/),
  pageno: like(/^0*[1-9]\d*$/),
  time_range: like(/^(day|week|month|year|None)?$/),
  format: like(/^(html|json|csv|rss)$/),
  results_on_new_tab: like(/^[01]$/),
  image_proxy: like(/^(True|False)$/),
  autocomplete: like(/^[a-z]*$/),
  safesearch: like(/^[012]$/),
  theme: like(/^simple$/),
  timeout_limit: like(/^\d+(\.\d+)?$/),
  enabled_plugins: pluginsOrEngines,
  disabled_plugins: pluginsOrEngines,
  enabled_engines: pluginsOrEngines,
  disabled_engines: pluginsOrEngines,
};

/** Why a search is refused; undefined when it is valid. */
export function refusalOf(parameters: URLSearchParams): string | undefined {
  if (!parameters.get('q')) return 'No query';
  for (const [name, value] of parameters) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
    if (!check) return `Unknown parameter ${name}`;
    if (parameters.getAll(name).length > 1) return `Repeated parameter ${name}`;
    if (!check(value)) return `Invalid value "${value}" for parameter ${name}`;
  }
  return undefined;
}
