import { isObject } from './json.ts';

/** Strict checks of a request body, in the terms vendors document it in. */
export interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export type Check = (value: unknown, path: Problem['path']) => readonly Problem[];

const FINE: readonly Problem[] = [];

function rule(holds: (value: unknown) => boolean, expected: string): Check {
  return (value, path) =>
    holds(value) ? FINE : [{ path, message: `${path.join('.')} must be ${expected}` }];
}

export const bool = rule((value) => typeof value === 'boolean', 'a boolean');

export const anyObject = rule(isObject, 'an object');

export function integer(least: number, most: number): Check {
  return rule(
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
    `an integer from ${least} to ${most}`,
  );
}

export function text(least = 0, most = Number.POSITIVE_INFINITY): Check {
  return rule(
    (value) => typeof value === 'string' && value.length >= least && value.length <= most,
    least > 0 ? 'a non-empty string' : 'a string',
  );
}

export function textLike(pattern: RegExp, expected: string): Check {
  return rule((value) => typeof value === 'string' && pattern.test(value), expected);
}

/** An ISO 8601 date or date-time that exists in the calendar. */
export const isoDate = rule(
  (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(value) &&
    new Date(`${value.slice(0, 10)}T00:00:00Z`).toJSON()?.slice(0, 10) === value.slice(0, 10),
  'an ISO 8601 date',
);

export function oneOf(...values: readonly string[]): Check {
  return rule(
    (value) => typeof value === 'string' && values.includes(value),
    `one of ${values.map((value) => `'${value}'`).join(', ')}`,
  );
}

export function listOf(item: Check, most = Number.POSITIVE_INFINITY): Check {
  return (value, path) => {
    const name = path.join('.');
    if (!Array.isArray(value)) return [{ path, message: `${name} must be an array` }];
    if (value.length > most) return [{ path, message: `${name} may hold at most ${most} items` }];
    return value.flatMap((entry, index) => item(entry, [...path, index]));
  };
}

/** The first check decides by the value's type: an object goes to `object`, all else to `other`. */
export function objectOr(other: Check, object: Check): Check {
  return (value, path) => (isObject(value) ? object(value, path) : other(value, path));
}

/** An object with these members and no others. Null counts as absent, except for required ones. */
export function members(
  known: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
): Check {
  return (value, path) => {
    if (!isObject(value)) return anyObject(value, path);
    const missing = required
      .filter((name) => value[name] === undefined || value[name] === null)
      .map((name) => ({
        path: [...path, name],
        message: `${[...path, name].join('.')} is required`,
      }));
    const present = Object.entries(value).flatMap(([name, member]) => {
      const check = Object.hasOwn(known, name) ? known[name] : undefined;
      const at = [...path, name];
      if (!check) return [{ path: at, message: `${at.join('.')} is not a known parameter` }];
      return member === null || member === undefined ? FINE : check(member, at);
    });
    return [...missing, ...present];
  };
}
