import { isObject, valueAt } from '../util/json.ts';

/**
 * A vendor's documented parameters as JSON Schema in `api.json`, with four differences: an object
 * with `properties` does not allow others; in `anyOf` the alternative with the value's type is
 * checked, otherwise the first; `expected` describes a valid value in words; `rule` names a check
 * in the vendor's own code.
 */
export interface Schema extends Limits {
  readonly type?: string | undefined;
  readonly enum?: readonly string[] | undefined;
  readonly pattern?: string | undefined;
  readonly format?: string | undefined;
  readonly items?: Schema | undefined;
  /** One item of a list, in a word. */
  readonly title?: string | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly patternProperties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly rule?: string | undefined;
  readonly expected?: string | undefined;
}

type Limit = 'minimum' | 'maximum' | 'exclusiveMinimum' | 'minLength' | 'maxLength';
type Limits = Readonly<Partial<Record<Limit | 'minItems' | 'maxItems', number | undefined>>>;

type Path = readonly (string | number)[];

export interface Problem {
  readonly path: Path;
  readonly message: string;
  /** `combination`: parameters that are valid individually; `body`: the body is not an object. */
  readonly kind: 'body' | 'missing' | 'unknown' | 'repeated' | 'invalid' | 'combination';
  /** The vendor's code for it, if it has several. */
  readonly code?: string | undefined;
}

export type Check = (value: unknown, path: Path) => readonly Problem[];
export type Rules = Readonly<Record<string, Check>>;

/** A problem of parameters that are valid individually but not together. */
export function combination(message: string, at?: string, code?: string): Problem {
  return { path: at === undefined ? [] : [at], message, kind: 'combination', code };
}

/**
 * Parameters that a vendor refuses together, in `api.json`. It applies when every value in `if` is
 * one of those listed: `*` is any value, null is an absent one. Names may be paths with dots.
 */
export interface Combination {
  readonly if: Readonly<Record<string, readonly (string | boolean | null)[] | undefined>>;
  readonly at?: string | undefined;
  readonly message: string;
  readonly code?: string | undefined;
}

/** The combinations that the parameters match, in the order of the list. */
export function combined(list: readonly Combination[], asked: unknown): readonly Problem[] {
  const applies = ([name, values = []]: [string, Combination['if'][string]]) => {
    const value = valueAt(asked, name) ?? null;
    return values.some((one) => one === value || (one === '*' && value !== null));
  };
  return list
    .filter((entry) => Object.entries(entry.if).every(applies))
    .map(({ message, at, code }) => combination(message, at, code));
}

/** All problems of a value, in the order of its members. */
export function problemsOf(
  schema: Schema,
  value: unknown,
  rules: Rules = {},
  path: Path = [],
): readonly Problem[] {
  const rule = rules[schema.rule ?? ''];
  if (rule) return rule(value, path);
  const wrong = (why: string) => [problemAt(path, why, 'invalid')];
  if (schema.anyOf) {
    const [first = {}, ...others] = schema.anyOf;
    const chosen = others.find(({ type }) => isOfType(type, value)) ?? first;
    return problemsOf(chosen, value, rules, path);
  }
  if (schema.properties) {
    return isObject(value)
      ? memberProblems(schema, value, rules, path)
      : wrong('must be an object');
  }
  if (schema.items) {
    const { items, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    if (!Array.isArray(value)) return wrong('must be an array');
    if (value.length < minItems) return wrong(`must hold at least one ${items.title ?? 'item'}`);
    if (value.length > maxItems) return wrong(`may hold at most ${maxItems} items`);
    return value.flatMap((entry, index) => problemsOf(items, entry, rules, [...path, index]));
  }
  const expected = expectation(schema, value);
  return expected === undefined ? [] : wrong(`must be ${expected}`);
}

/** Null counts as absent, except for required members. */
function memberProblems(
  { properties = {}, required = [] }: Schema,
  value: Readonly<Record<string, unknown>>,
  rules: Rules,
  path: Path,
): readonly Problem[] {
  const missing = required.filter((name) => (value[name] ?? null) === null);
  const present = Object.entries(value).flatMap(([name, member]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema) return [problemAt([...path, name], 'is not a known parameter', 'unknown')];
    if (member === null || member === undefined) return [];
    return problemsOf(schema, member, rules, [...path, name]);
  });
  const gaps = missing.map((name) => problemAt([...path, name], 'is required', 'missing'));
  return [...gaps, ...present];
}

function problemAt(path: Path, why: string, kind: Problem['kind']): Problem {
  return { path, message: `${path.join('.')} ${why}`, kind };
}

/** All problems of a query string: each name once, in the order of the query. */
export function queryProblems(schema: Schema, query: URLSearchParams): readonly Problem[] {
  const missing = (schema.required ?? []).filter((name) => !query.has(name));
  const sent = [...new Set(query.keys())].flatMap((name) => {
    const known = parameterOf(schema, name);
    if (!known) return [problemAt([name], 'is not a known parameter', 'unknown')];
    const [value = '', ...others] = query.getAll(name);
    if (others.length > 0) return [problemAt([name], 'must be given once', 'repeated')];
    const number = /^\d+$/.test(value) ? Number(value) : value;
    const expected = expectation(known, known.type === 'integer' ? number : value);
    return expected === undefined ? [] : [problemAt([name], `must be ${expected}`, 'invalid')];
  });
  return [...missing.map((name) => problemAt([name], 'is required', 'missing')), ...sent];
}

function parameterOf(schema: Schema, name: string): Schema | undefined {
  const { properties = {}, patternProperties = {} } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  return Object.entries(patternProperties).find(([pattern]) => patternOf(pattern).test(name))?.[1];
}

/** What a single value must be; undefined when it is valid. */
function expectation(schema: Schema, value: unknown): string | undefined {
  const { type, enum: names, expected, minimum: least = 0, maximum } = schema;
  const { exclusiveMinimum: above = Number.NEGATIVE_INFINITY } = schema;
  const most = maximum ?? (type === 'integer' ? LARGEST : Number.POSITIVE_INFINITY);
  const isNumber = typeof value === 'number' && value >= least && value > above && value <= most;
  if (names) {
    const list = names.map((name) => `'${name}'`).join(', ');
    const isOne = typeof value === 'string' && names.includes(value);
    return isOne ? undefined : (expected ?? `one of ${list}`);
  }
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'a boolean';
  if (type === 'object') return isObject(value) ? undefined : 'an object';
  if (type === 'integer') {
    const isInteger = isNumber && Number.isInteger(value);
    return isInteger ? undefined : (expected ?? `an integer from ${least} to ${most}`);
  }
  if (type === 'number') {
    return isNumber ? undefined : (expected ?? `a number from ${least} to ${most}`);
  }
  const isText = typeof value === 'string' && fits(schema, value);
  return isText ? undefined : (expected ?? textExpectation(schema));
}

const LARGEST = Number.MAX_SAFE_INTEGER;

function textExpectation({ format, minLength = 0 }: Schema): string {
  if (format === 'date-time') return 'an ISO 8601 date';
  if (format === 'date') return 'a date as YYYY-MM-DD';
  return minLength > 0 ? 'a non-empty string' : 'a string';
}

/**
 * A `date` must exist in the calendar, and so must the day of a `date-time`, whose time may be
 * absent.
 */
function fits(schema: Schema, text: string): boolean {
  const { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  if (text.length < minLength || text.length > maxLength) return false;
  if (pattern !== undefined && !patternOf(pattern).test(text)) return false;
  if (format === 'date') return isDay(text);
  if (format !== 'date-time') return true;
  return DATE_TIME.test(text) && isDay(text.slice(0, 10));
}

const DATE_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

export function isDay(text: string): boolean {
  return new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text;
}

const PATTERNS = new Map<string, RegExp>();

function patternOf(pattern: string): RegExp {
  const known = PATTERNS.get(pattern) ?? new RegExp(pattern);
  PATTERNS.set(pattern, known);
  return known;
}

const isOfType = (type: string | undefined, value: unknown): boolean =>
  (Array.isArray(value) ? 'array' : typeof value) === (type === 'integer' ? 'number' : type);
