import { isJsonObject } from '@trawl/contract';
import { byForm } from '@trawl/test-support/form';
import { z } from 'zod';

/** A text of any size, made to cost as much as possible. */
export interface HostileText {
  readonly name: string;
  readonly text: (n: number) => string;
  /** The largest n that a request may have. */
  readonly most: number;
}

/**
 * In the full form a bit less than the limit of a body. A tenth of it shows what is quadratic as
 * well.
 */
export const BODY_CHARACTERS = byForm({ small: 100_000, full: 1_000_000 });
/** A bit less than the limit of a head, without the other lines that it has. */
const HEAD_CHARACTERS = 14_000;

const repeated = (part: string | ((at: number) => string), n: number, separator = ','): string => {
  if (typeof part === 'string') return n === 0 ? '' : part + (separator + part).repeat(n - 1);
  return Array.from({ length: n }, (_, at) => part(at)).join(separator);
};

/** A value of JSON: `around` is written before and after its parts. */
const jsonOf = (
  name: string,
  around: readonly [string, string],
  part: string | ((at: number) => string),
): HostileText => ({
  name,
  text: (n) => `${around[0]}${repeated(part, n)}${around[1]}`,
  most: Math.floor(
    BODY_CHARACTERS / ((typeof part === 'string' ? part : part(100_000)).length + 1),
  ),
});

const LIST = ['[', ']'] as const;
const OBJECT = ['{', '}'] as const;

/** Values for a whole body, and for any member of it. */
export const ANY_VALUES: readonly HostileText[] = [
  jsonOf('other texts', LIST, (at) => `"t${at}"`),
  {
    name: 'one text',
    text: (n) => `"${'w '.repeat(n)}"`,
    most: BODY_CHARACTERS / 2,
  },
];

export const NAMES = jsonOf('names', OBJECT, (at) => `"n${at}":0`);

/** More of them. */
export const MORE_VALUES: readonly HostileText[] = [
  jsonOf('numbers', LIST, '0'),
  jsonOf('objects', LIST, '{}'),
  jsonOf('lists', LIST, '[]'),
  jsonOf('one name, repeated', OBJECT, '"a":0'),
  jsonOf('objects of names', LIST, '{"a":0}'),
  { name: 'digits', text: (n) => '9'.repeat(n), most: BODY_CHARACTERS },
  { name: 'escapes', text: (n) => `"${'\\u0000'.repeat(n)}"`, most: BODY_CHARACTERS / 6 },
];

/** A list of one value that the member accepts. */
export const repeatedValue = (value: unknown): HostileText =>
  jsonOf('one value, repeated', LIST, JSON.stringify(value));

/** A place in a body. */
export interface Member {
  readonly path: readonly string[];
  /** An item that a list at this place accepts; undefined = the place is not one of a list. */
  readonly item?: unknown;
}

/** Every place of a body that a schema names. */
export function membersOf(schema: z.ZodType): readonly Member[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const found = new Map<string, Member>();
  const collect = (node: unknown, path: readonly string[]): void => {
    if (!isJsonObject(node)) return;
    const { $ref, items, properties, anyOf, oneOf } = node;
    if (typeof $ref === 'string') collect(root.$defs?.[$ref.replace('#/$defs/', '')], path);
    for (const branch of [anyOf, oneOf].flat()) collect(branch, path);
    const item = itemOf(items, root.$defs ?? {});
    if (path.length > 0 && (!found.has(path.join('.')) || item !== undefined)) {
      found.set(path.join('.'), item === undefined ? { path } : { path, item });
    }
    if (isJsonObject(items)) collect(items, [...path, '0']);
    if (!isJsonObject(properties)) return;
    for (const [name, member] of Object.entries(properties)) collect(member, [...path, name]);
  };
  collect(root, []);
  return [...found.values()];
}

function itemOf(items: unknown, definitions: Readonly<Record<string, unknown>>): unknown {
  if (!isJsonObject(items)) return undefined;
  if (typeof items.$ref === 'string') {
    return itemOf(definitions[items.$ref.replace('#/$defs/', '')], definitions);
  }
  if (Array.isArray(items.enum)) return items.enum[0];
  return items.type === 'object' ? {} : 'example.org';
}

const HERE = '"@@here@@"';

/** The JSON of a body with another text at a place. */
export function bodyWith(base: unknown, path: readonly string[], value: string): string {
  const body: unknown = structuredClone(base);
  const [last = '', ...rest] = path.toReversed();
  let at = body as Record<string, unknown>;
  for (const [index, step] of rest.toReversed().entries()) {
    const next = path[index + 1];
    if (typeof at[step] !== 'object' || at[step] === null) at[step] = next === '0' ? [] : {};
    at = at[step] as Record<string, unknown>;
  }
  at[last] = JSON.parse(HERE);
  // a function: a text as such would be read for its dollar signs
  return JSON.stringify(body).replace(HERE, () => value);
}

/** Query strings and forms: pairs of one name, of many names, and marks without any. */
export const pairsOf = (names: readonly string[], characters: number): readonly HostileText[] => [
  ...names.map((name) => pairs(`${name}, repeated`, `${name}=1`, characters)),
  ...names.map((name) => ({
    name: `${name}, long`,
    text: (n: number) => `${name}=${'w+'.repeat(n)}`,
    most: Math.floor((characters - name.length) / 2),
  })),
  pairs('an unknown name, repeated', 'a=1', characters),
  pairs('unknown names', (at) => `n${at}=1`, characters),
  pairs('names only', 'a', characters),
  pairs('nothing', '', characters),
  pairs('escapes', '%25=%', characters),
];

function pairs(
  name: string,
  part: string | ((at: number) => string),
  characters: number,
): HostileText {
  const length = (typeof part === 'string' ? part : part(10_000)).length + 1;
  return { name, text: (n) => repeated(part, n, '&'), most: Math.floor(characters / length) };
}

export const queriesOf = (names: readonly string[]): readonly HostileText[] =>
  pairsOf(names, HEAD_CHARACTERS);

export const formsOf = (names: readonly string[]): readonly HostileText[] =>
  pairsOf(names, BODY_CHARACTERS);

/** Parts that lists in headers are made of, by the name of a header. */
const HEADER_PARTS: Readonly<Record<string, string>> = {
  accept: 'a/b;q=0.0,',
  'accept-encoding': 'gzip;q=0,',
  'accept-language': 'en,',
  authorization: 'Bearer ',
  baggage: 'a=b,',
  cookie: 'a=b; ',
  'content-type': 'application/json;charset="',
  'content-encoding': 'gzip, ',
  forwarded: 'for="[::1]";by=',
  'idempotency-key': 'k',
  'if-none-match': 'W/"a",',
  'if-modified-since': ' ',
  origin: 'http://a.',
  range: 'bytes=0-1,',
  traceparent: '00-',
  tracestate: 'a=b,',
  'user-agent': '(',
  via: '1.1 a,',
  'x-forwarded-for': '::1, ',
  'x-request-id': 'a.',
};

/** One long header. */
export const HEADERS: readonly (HostileText & { readonly header: string })[] = Object.entries(
  HEADER_PARTS,
).map(([header, part]) => ({
  name: header,
  header,
  // blanks at the ends are not part of a header
  text: (n) => `a${part.repeat(n)}a`,
  most: Math.floor(HEAD_CHARACTERS / part.length),
}));

/** Lines of a head, as `node:http` takes them: one name, or many. */
export const HEADER_LINES: readonly (Omit<HostileText, 'text'> & {
  readonly lines: (n: number) => readonly string[];
})[] = [
  { name: 'lines of one name', lines: (n) => lines(n, () => 'x-a'), most: 1_900 },
  { name: 'lines of many names', lines: (n) => lines(n, (at) => `x${at}`), most: 1_400 },
  { name: 'lines of cookies', lines: (n) => lines(n, () => 'cookie'), most: 1_200 },
  { name: 'lines of Accept', lines: (n) => lines(n, () => 'accept'), most: 1_200 },
];

const lines = (n: number, name: (at: number) => string): readonly string[] =>
  Array.from({ length: n }, (_, at) => [name(at), 'a']).flat();
