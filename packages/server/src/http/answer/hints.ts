import { didYouMean, nearest, plain } from '@trawl/base';
import { FILTERS, type FilterName, isJsonObject, type Route, writeJson } from '@trawl/contract';
import { isCountKey } from '@trawl/providers';
import { z } from 'zod';
import type { HintOf, InputFault } from './validation-issues.ts';

/** What the hints need to know of a route. */
export type HintedRoute = Pick<
  Route,
  'body' | 'bodyForm' | 'misplaced' | 'query' | 'refusesDryRun'
>;

/** Makes the hints for the faults of a route. */
export function hintsOf(route: HintedRoute, names: BodyNames): HintOf {
  return (fault) => {
    const { place, path, issue, isExtra, input } = fault;
    if (isExtra && place === 'query') return parameterHint(String(path.at(-1)), route);
    if (isExtra) return extraHint(String(path.at(-1)), placeOf(path.slice(0, -1)), route, names);
    if (issue.code === 'invalid_value' && typeof input === 'string') {
      return didYouMean(nearest(input, issue.values.map(String)));
    }
    if (issue.code === 'invalid_format' && issue.format === 'uuid') return idHint(fault, route);
    if (isAbsent(fault)) return missingHint(fault, route);
    if (issue.code === 'too_small' && issue.origin === 'array') return missingHint(fault, route);
    if (issue.code !== 'invalid_type' || place !== 'body') return undefined;
    return issue.expected === 'uuid'
      ? idHint(fault, route)
      : typeHint(fault, issue.expected, route, names);
  };
}

/** `search.providers`; indexes are left out. */
const placeOf = (path: InputFault['path']): string =>
  path.filter((step) => typeof step === 'string').join('.');

/** null counts as absent at the top of a body. */
const isAbsent = ({ issue, input, path }: InputFault): boolean =>
  issue.input === undefined || (input === null && path.length === 1);

/** Words of other search APIs for filters. Compared without case, `_` and `-`. */
const FILTER_WORDS: Readonly<Record<FilterName, readonly string[]>> = {
  include_domains: ['domains', 'domain', 'alloweddomains', 'allowlist', 'sites', 'site'],
  exclude_domains: ['blockeddomains', 'blocklist', 'excludesites', 'notsite'],
  published_after: [
    ...['timerange', 'freshness', 'recency', 'searchrecencyfilter', 'daterange', 'days'],
    ...['since', 'after', 'startdate', 'startpublisheddate', 'fromdate'],
  ],
  published_before: ['until', 'before', 'enddate', 'endpublisheddate', 'todate'],
  country: ['region', 'location', 'market', 'gl'],
  language: ['lang', 'locale', 'hl'],
  safe_search: ['safesearch', 'safe', 'moderation'],
};
/** More words, whose value says which filter is meant. */
const DOMAIN_FILTER = 'searchdomainfilter';

/** The filter that a word of another API means; undefined = none. */
function filterHint(key: string): string | undefined {
  const word = plain(key);
  if (word === DOMAIN_FILTER) {
    return 'use search.filters.include_domains or search.filters.exclude_domains';
  }
  const filter = FILTERS.find((name) => FILTER_WORDS[name].includes(word));
  return filter && `use search.filters.${filter}`;
}

/** For a key that its object does not have. */
function extraHint(
  key: string,
  parent: string,
  route: HintedRoute,
  names: BodyNames,
): string | undefined {
  const own = names.get(parent) ?? [];
  const same = own.find((name) => plain(name) === plain(key));
  if (same !== undefined) return didYouMean(same);
  const misplaced =
    parent === '' || !own.includes(key) ? route.misplaced?.hints.get(key) : undefined;
  if (parent === '') return misplaced ?? inQueryHint(key, route) ?? nearestHint(key, own, route);
  const home = [...names].find(([place, members]) => place !== parent && members.includes(key));
  if (home) {
    const [place] = home;
    return place === '' ? `put ${key} next to ${parent}, not into it` : `put ${key} into ${place}`;
  }
  const count = isCountKey(key) ? own.find(isCountKey) : undefined;
  if (count !== undefined) return didYouMean(count);
  if (misplaced !== undefined) return misplaced;
  const hasFilters = own.includes('filters') || own.includes('include_domains');
  const filter = hasFilters ? filterHint(key) : undefined;
  if (filter !== undefined) return filter;
  return didYouMean(nearest(key, own));
}

/** For a name in the query string that the route does not have. */
function parameterHint(name: string, { query, refusesDryRun }: HintedRoute): string | undefined {
  const meant = didYouMean(nearest(name, Object.keys(query?.shape ?? {})));
  return meant ?? (refusesDryRun ? 'this route has no dry run: leave it out' : undefined);
}

/** For a key of a body that belongs into the query string. */
const inQueryHint = (key: string, { query }: HintedRoute): string | undefined =>
  query && key in query.shape ? `${key} is a query parameter: ?${key}=…` : undefined;

/** For a key at the top of a body that is nearly one of its keys, or of its options. */
function nearestHint(
  key: string,
  own: readonly string[],
  { misplaced }: HintedRoute,
): string | undefined {
  const { place, names } = misplaced?.options ?? { place: '', names: [] };
  const meant = nearest(key, [...own, ...names]);
  const isOption = meant !== undefined && !own.includes(meant);
  return isOption ? `did you mean ${place}.${meant}?` : didYouMean(meant);
}

/** Where ids are found, by the name of the parameter. */
const ID_SOURCES: Readonly<Record<string, string>> = {
  session_id: 'GET /v1/sessions lists the ids of sessions',
  interaction_id: 'GET /v1/sessions/{session_id}/history lists the interactions of a session',
  after: 'send next_after of the page before',
  run_id: 'send the id of a run in preprocessor_runs',
};

function idHint({ place, path }: InputFault, { body }: HintedRoute): string | undefined {
  const name = String(path.at(-1));
  const session = body instanceof z.ZodObject ? body.shape.session_id : undefined;
  const isOptional = session instanceof z.ZodType && session.safeParse(undefined).success;
  if (place === 'body' && name === 'session_id' && isOptional) {
    return 'leave session_id out to start a session, or send the one that an answer returned';
  }
  return Object.hasOwn(ID_SOURCES, name) ? ID_SOURCES[name] : undefined;
}

function missingHint({ place, path }: InputFault, { bodyForm }: HintedRoute): string | undefined {
  const name = String(path.at(-1) ?? '');
  if (place !== 'body') return Object.hasOwn(ID_SOURCES, name) ? ID_SOURCES[name] : undefined;
  if (bodyForm === undefined) return undefined;
  return path.length === 0 || bodyForm.includes(`"${name}"`) ? `write ${bodyForm}` : undefined;
}

/** For a value of another JSON type. */
function typeHint(
  { path, input }: InputFault,
  expected: string,
  route: HintedRoute,
  names: BodyNames,
): string | undefined {
  const place = placeOf(path);
  switch (expected) {
    case 'array':
      return `write a list: ${shortJson([input])}`;
    case 'record':
    case 'object':
      return objectHint(place, input, route, names);
    case 'number':
    case 'int':
    case 'boolean':
      return plainValueHint(input, expected);
    default:
      return undefined;
  }
}

function objectHint(
  place: string,
  input: unknown,
  { bodyForm }: HintedRoute,
  names: BodyNames,
): string | undefined {
  const own = names.get(place) ?? [];
  if (place === '' || place === 'user_input') return bodyForm && `write ${bodyForm}`;
  if (own.includes('include')) return `write {"include": ${shortJson([input].flat())}}`;
  if (own.length === 0) return 'write an object: {…}';
  return `write an object, with members such as ${own.slice(0, 3).join(', ')}`;
}

function plainValueHint(input: unknown, expected: string): string | undefined {
  const isQuoted =
    expected === 'boolean'
      ? input === 'true' || input === 'false'
      : typeof input === 'string' && /^-?\d{1,15}$/.test(input);
  if (isQuoted) return `write ${input} without quotes`;
  return expected === 'boolean' ? 'write true or false' : undefined;
}

const SHOWN_MAX = 64;

/** The right form of a list; a long one is not repeated. */
function shortJson(list: readonly unknown[]): string {
  const json = writeJson(list);
  return json.length <= SHOWN_MAX ? json : '[…]';
}

/**
 * Names of the members of a body, by place: `''` for the top, `search.providers`; those of list
 * items count as the list's.
 */
export type BodyNames = ReadonlyMap<string, readonly string[]>;

export function bodyNames(schema: z.ZodType): BodyNames {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const names = new Map<string, readonly string[]>();
  const collect = (node: unknown, place: string): void => {
    if (!isJsonObject(node)) return;
    const { $ref, items, properties, anyOf } = node;
    if (typeof $ref === 'string') collect(root.$defs?.[$ref.replace('#/$defs/', '')], place);
    collect(items, place);
    for (const branch of Array.isArray(anyOf) ? anyOf : []) collect(branch, place);
    if (!isJsonObject(properties)) return;
    names.set(place, Object.keys(properties));
    for (const [name, member] of Object.entries(properties)) {
      collect(member, place === '' ? name : `${place}.${name}`);
    }
  };
  collect(root, '');
  return names;
}
