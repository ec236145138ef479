import { nearest } from '@trawl/base';
import { ROUTES, type Route } from '@trawl/contract';

const ROUTE_LIST: readonly Route[] = Object.values(ROUTES);
const PATHS = [...new Set(ROUTE_LIST.map(({ path }) => path))];
/** A longer path is not a misspelt one. */
const PATH_MAX = 200;

/** What other services call the same. Each leads to the path that does it here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  crawl: ROUTES.fetch.path,
  scrape: ROUTES.fetch.path,
  extract: ROUTES.fetch.path,
  contents: ROUTES.fetch.path,
  read: ROUTES.fetch.path,
  query: ROUTES.search.path,
  answer: ROUTES.search.path,
  health: ROUTES.health.path,
  history: ROUTES.sessionHistory.path,
  providers: ROUTES.preprocessors.path,
};

/** The route that was probably meant by a path without one. */
export function nearestRoute(method: string, path: string): string | undefined {
  if (path.length > PATH_MAX) return undefined;
  const names = namesOf(path.toLowerCase());
  if (names.length === 0) return undefined;
  const last = names.at(-1) ?? '';
  const meant =
    pathOf(names) ?? (Object.hasOwn(OTHER_NAMES, last) ? OTHER_NAMES[last] : nearPath(names));
  return meant === undefined ? undefined : `did you mean ${methodOf(method, meant)} ${meant}?`;
}

/** Segments of a path without the version, which is left out or doubled easily. */
const namesOf = (path: string): string[] =>
  path.split('/').filter((segment) => segment !== '' && segment !== 'v1');

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** The path whose segments these are. */
const pathOf = (names: readonly string[]): string | undefined =>
  PATHS.find((path) => filled(path, names) === names.join('/'));

const nearPath = (names: readonly string[]): string | undefined => {
  const spellings = new Map(PATHS.map((path) => [filled(path, names), path]));
  return spellings.get(nearest(names.join('/'), spellings.keys()) ?? '');
};

/** A path with the sent values for its parameters. */
const filled = (path: string, names: readonly string[]): string =>
  namesOf(path)
    .map((segment, index) => (isParameter(segment) ? (names[index] ?? segment) : segment))
    .join('/');

function methodOf(method: string, path: string): string {
  const methods = ROUTE_LIST.filter((route) => route.path === path).map((route) => route.method);
  return methods.find((own) => own === method) ?? methods[0] ?? method;
}
