import { distance, plain } from '@trawl/base';
import { isJsonObject, LIMITS, type Misplaced, type Route } from '@trawl/contract';
import { z } from 'zod';
import type { InputFault } from '../answer/validation-issues.ts';

/**
 * Names that are compared with those of options; a request with more of them is not a mistake in
 * spelling.
 */
const COMPARED_MAX = 200;

/**
 * Faults of the keys that belong elsewhere, or are nearly the name of an option: at the top of a
 * body, and in its queries. Ignoring them would change what is paid.
 * @param own the keys of the body
 */
export function misplacedFaults(
  body: unknown,
  misplaced: Misplaced,
  own: ReadonlySet<string>,
): InputFault[] {
  if (!isJsonObject(body)) return [];
  const names = [...own, ...misplaced.options.names];
  let compared = 0;
  const isMisplaced = (key: string): boolean => {
    if (misplaced.hints.has(key)) return true;
    compared += 1;
    if (compared > COMPARED_MAX) return false;
    return names.some((name) => isNearly(key, name));
  };
  const atTop = Object.keys(body).filter(
    (key) => !own.has(key) && !isAbsent(key, body[key]) && isMisplaced(key),
  );
  const faults = atTop.map((key) => faultAt([key], body[key]));
  return misplaced.inQueries ? [...faults, ...queryFaults(body.user_input, misplaced)] : faults;
}

/** The options that are next to a query instead of in `search`. */
function queryFaults(userInput: unknown, { options }: Misplaced): InputFault[] {
  const isBatch = Array.isArray(userInput);
  const queries: readonly unknown[] = isBatch
    ? userInput.slice(0, LIMITS.queriesPerBatch)
    : [userInput];
  return queries.flatMap((query, index) => {
    if (!isJsonObject(query)) return [];
    const names = options.names.filter(
      (name) => Object.hasOwn(query, name) && query[name] !== null,
    );
    const path = isBatch ? ['user_input', index] : ['user_input'];
    return names.map((name) => faultAt([...path, name], query[name]));
  });
}

/**
 * Makes the reader of parameters that are nearly one of the route's, such as `dryrun`: ignoring
 * them would change what is paid or listed. Other unknown ones are ignored. A strict schema refuses
 * all of them itself.
 */
export function misspeltReader({
  query,
  refusesDryRun,
}: Pick<Route, 'query' | 'refusesDryRun'>): (url: string) => readonly InputFault[] {
  const own = new Set(Object.keys(query?.shape ?? {}));
  const names = [...own, ...(refusesDryRun ? ['dry_run'] : [])];
  if (names.length === 0 || query?.def.catchall instanceof z.ZodNever) return () => [];
  return (url) => {
    const start = url.indexOf('?');
    if (start < 0) return [];
    const sent = new Map(new URLSearchParams(url.slice(start)));
    return [...sent]
      .filter(([name]) => !own.has(name))
      .slice(0, COMPARED_MAX)
      .filter(([name]) => names.some((known) => isNearly(plain(name), plain(known))))
      .map(([name, input]): InputFault => {
        const issue = { code: 'unrecognized_keys' as const, keys: [name], path: [], message: '' };
        return { place: 'query', path: [name], issue, input, isExtra: true };
      });
  };
}

/** One edit from four letters on, two from eight. */
function isNearly(key: string, name: string): boolean {
  const most = key.length < 8 ? 1 : 2;
  return key.length >= 4 && distance(key, name, most) <= most;
}

/** Null counts as absent, and so does an empty list of names. */
const isAbsent = (key: string, value: unknown): boolean =>
  value === null || (key.endsWith('_names') && Array.isArray(value) && value.length === 0);

function faultAt(path: readonly (string | number)[], input: unknown): InputFault {
  const keys = [String(path.at(-1))];
  const issue: InputFault['issue'] = { code: 'unrecognized_keys', keys, path: [], message: '' };
  return { place: 'body', path, issue, input, isExtra: true };
}
