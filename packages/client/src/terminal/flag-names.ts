import type { TrawlApiError } from '../values/errors.ts';
import { commandHere } from './manifest.ts';

/**
 * The flag of the command for each member of a request that the server may name. Members of a list
 * count as the list.
 */
const FLAGS: Readonly<Record<string, string>> = {
  'body.search.num_results': '--num-results',
  'body.search.tier': '--tier',
  'body.search.fields': '--fields',
  'body.search.providers.include': '--include',
  'body.search.providers.exclude': '--exclude',
  'body.search.fallback': '--fallback',
  'body.search.include_full_content': '--full-content',
  'body.search.economy': '--economy',
  'body.search.max_age_seconds': '--max-age',
  'body.search.no_cache': '--no-cache',
  'body.search.max_cost_usd': '--max-cost',
  'body.search.auto_routing': '--auto-routing',
  'body.search.filters.include_domains': '--site',
  'body.search.filters.exclude_domains': '--not-site',
  'body.search.filters.published_after': '--since',
  'body.search.filters.published_before': '--until',
  'body.search.filters.country': '--country',
  'body.search.filters.language': '--lang',
  'body.search.filters.safe_search': '--safe',
  'body.search.filters': '--since and --until',
  'body.session_id': 'the session',
  'body.interval_minutes': '--every',
  'body.name': '--name',
  'body.fetch.urls': '--url',
  'path.watch_id': 'the watch',
  'body.user_id': '--user',
  'body.note': '--note',
  'query.limit': '--limit',
  'query.after': '--after',
  'query.from': '--from',
  'query.to': '--to',
  'query.group_by': '--group-by',
  'path.session_id': 'the session',
  'path.interaction_id': 'the interaction',
  'options.tier': '--tier',
  'options.providers': '--providers',
  'options.content_format': '--format',
  'options.inline_max_chars': '--max-chars',
  'options.max_age_seconds': '--max-age',
  'options.no_cache': '--no-cache',
  'options.max_cost_usd': '--max-cost',
  'options.focus.query': '--focus',
  'options.focus': '--focus',
  session_id: '--session',
};

/**
 * The message of a refusal, with flags instead of members of the request. Members without a flag
 * keep their name.
 */
export function messageInFlags({ message, issues, param, status }: TrawlApiError): string {
  if (issues.length > 0) return issuesText(issues);
  const text = message.replace(`${status}: `, '');
  if (param === null) return inCommands(text);
  const [name = '', index] = param.split('[', 2);
  const flag = name === 'urls' && index ? `URL ${Number.parseInt(index, 10) + 1}` : flagOf(name);
  if (flag === undefined) return inCommands(text);
  const reason = text.startsWith(`${param}: `) ? text.slice(param.length + 2) : text;
  return `${flag}: ${inCommands(reason)}`;
}

/** Routes that hints name, and the commands that call them; longer ones first. */
const COMMANDS = [
  ['GET /v1/sessions/{session_id}/history', `"${commandHere()} history <session>"`],
  ['GET /v1/sessions', `"${commandHere()} sessions"`],
] as const;

/** Members of `search`, and of `options` of a fetch, that texts of the server name. */
const MEMBERS = Object.entries(FLAGS)
  .map(([place, flag]) => [place.replace('body.', ''), flag] as const)
  .filter(([name, flag]) => /^(?:search|options)\./.test(name) && !flag.includes(' '));

/** A text of the server with flags and commands instead of members and routes. */
export const inCommands = (text: string): string =>
  [...COMMANDS, ...MEMBERS].reduce((rest, [name, shown]) => rest.replaceAll(name, shown), text);

const flagOf = (place: string): string | undefined =>
  Object.hasOwn(FLAGS, place) ? FLAGS[place] : undefined;

/** A member of the request without a flag, in words. */
const plainPlace = (loc: readonly (string | number)[]): string =>
  loc.filter((part) => !PLACES.includes(part)).join(' ') || 'the request';

const PLACES: readonly (string | number)[] = ['body', 'path', 'query'];
const SHOWN_MAX = 3;
/** How the server begins messages of its own rules. It says nothing to a user of the command. */
const RULE_PREFIX = 'Value error, ';

function issuesText(issues: TrawlApiError['issues']): string {
  const lines = issues.map((issue) => {
    const hint =
      'hint' in issue && typeof issue.hint === 'string' ? ` (${inCommands(issue.hint)})` : '';
    const text = issue.msg.startsWith(RULE_PREFIX)
      ? issue.msg.slice(RULE_PREFIX.length)
      : issue.msg;
    return `${placeOf(issue.loc)}: ${text}${hint}`;
  });
  const more = lines.length > SHOWN_MAX ? [`and ${lines.length - SHOWN_MAX} more`] : [];
  return [...lines.slice(0, SHOWN_MAX), ...more].join('; ');
}

function placeOf(loc: readonly (string | number)[]): string {
  const [first, second, third] = loc;
  if (first === 'body' && second === 'user_input') {
    return typeof third === 'number' ? `query ${third + 1}` : 'the query';
  }
  const names = loc.filter((part) => typeof part === 'string').join('.');
  return (
    flagOf(names) ?? flagOf(names.replace('body.search.search.', 'body.search.')) ?? plainPlace(loc)
  );
}
