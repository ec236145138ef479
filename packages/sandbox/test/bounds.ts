import { readdirSync, readFileSync } from 'node:fs';
import { isObject, type JsonObject, valueAt } from '../src/util/json.ts';

/** A schema of `api.json`, see `Schema` in `src/shell/schema.ts`. */
export type Schema = JsonObject;
type Kind = 'accepted' | 'missing' | 'unknown' | 'repeated' | 'invalid' | 'combination';

/** One request just inside or just outside a bound. */
export interface Bound {
  /** The parameter, with dots. */
  readonly at: string;
  readonly sent: unknown;
  readonly kind: Kind;
}

/** A route as `api.json` describes it. */
export interface Described {
  readonly vendor: string;
  readonly name: string;
  readonly api: JsonObject;
  readonly method: string;
  readonly path: string;
  readonly parameters: Schema;
  readonly combinations: readonly JsonObject[];
  readonly hasUrls: boolean;
}

const VENDORS = new URL('../src/vendors/', import.meta.url);

/** Every route of every vendor whose `api.json` describes its parameters. */
export const DESCRIBED: readonly Described[] = readdirSync(VENDORS).flatMap((vendor) => {
  const api: JsonObject = JSON.parse(readFileSync(new URL(`${vendor}/api.json`, VENDORS), 'utf8'));
  const routes = Object.values(api).filter(
    (part): part is JsonObject => isObject(part) && 'method' in part && isObject(part.parameters),
  );
  return routes.map((route) => ({
    vendor,
    name: `${vendor} ${route.method} ${route.path}`,
    api,
    method: String(route.method),
    path: String(route.path),
    parameters: withShared(route, api),
    combinations: Array.isArray(route.combinations) ? route.combinations : [],
    hasUrls: isObject(route.noUrls),
  }));
});

/** The parameters of a route, with those of the search that it names in `shared`. */
function withShared({ parameters, shared }: JsonObject, api: JsonObject): Schema {
  if (!isObject(parameters) || !Array.isArray(shared)) return Object(parameters);
  const search = Object(valueAt(api, 'search.parameters.properties'));
  const properties = Object.fromEntries(shared.map((name: string) => [name, search[name]]));
  return { ...parameters, properties: { ...properties, ...Object(parameters.properties) } };
}

/** Texts of which one fits each pattern, and one does not. */
const TEXTS: readonly string[] = [
  ...['title', 'https://atlas.example.org/wiki/tides', 'de', 'DE', 'example.org', '5', '52.5'],
  ...['2026-01-02', '2026-01-02T10:00:00Z', '20260102', '01/02/2026', 'day', 'qdr:d', 'base'],
  ...['all:tides', 'from-pub-date:2026', 'a@example.org', '192.0.2.1', '0000320193'],
  ...['CITED desc', 'created_at_i>5', 'lang_de', 'countryDE', 'google.de', 'info', 'germany'],
  'https://www.google.com/search?q=tides',
];
const ODD: readonly string[] = ['', ' ', ',', '?', '\\', '2026-02-30', '2026-1-2'];

/** The minimal value that a schema accepts. */
export function validOf(schema: Schema, api: JsonObject, name = ''): unknown {
  const { enum: names, properties, items, type } = schema;
  const [first] = alternativesOf(schema, api);
  if (first && first !== schema) return validOf(first, api, name);
  if (Array.isArray(names)) return names[0];
  if (isObject(properties)) {
    return Object.fromEntries(
      requiredOf(schema).map((each) => [each, validOf(Object(properties[each]), api, each)]),
    );
  }
  if (isObject(items)) return listOf(Number(schema.minItems ?? 1), items, api, name);
  if (type === 'boolean') return true;
  if (type === 'object') return {};
  if (type === 'integer' || type === 'number') return numbersOf(schema).inside[0];
  return textsOf(schema, name).inside[0];
}

/** The alternatives of a schema, or the schema that its rule is named after. */
function alternativesOf(schema: Schema, api: JsonObject): readonly Schema[] {
  const named = api[String(schema.rule)];
  if (isObject(named) && isObject(named.properties)) return [named];
  return Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
}

/** The places of checks that only a vendor's code has. */
export function ownChecks(schema: Schema, api: JsonObject, at = ''): readonly string[] {
  if (hasOwnCheck(schema, api)) return [at];
  return alternativesOf(schema, api).flatMap(({ properties, items }) => [
    ...Object.entries<Schema>(Object(properties)).flatMap(([name, member]) =>
      ownChecks(member, api, at === '' ? name : `${at}.${name}`),
    ),
    ...(isObject(items) ? ownChecks(items, api, at) : []),
  ]);
}

/** A check that only the vendor's code has: the vendor's own tests have its bounds. */
const hasOwnCheck = (schema: Schema, api: JsonObject): boolean =>
  schema.rule !== undefined && alternativesOf(schema, api)[0] === schema;

const requiredOf = ({ required }: Schema): readonly string[] =>
  Array.isArray(required) ? required : [];

const listOf = (length: number, items: Schema, api: JsonObject, name: string) =>
  Array.from({ length }, () => validOf(items, api, name));

/** Values in JSON of another type than these. */
const TYPED: Readonly<Record<string, unknown>> = {
  string: 'seven',
  number: 7,
  boolean: true,
  array: ['seven'],
  object: { seven: 7 },
};

function typeOf({ type, properties, items }: Schema): string {
  if (isObject(properties) || type === 'object') return 'object';
  if (isObject(items)) return 'array';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'boolean' ? 'boolean' : 'string';
}

/** Requests just inside and just outside each bound that `api.json` states of a route. */
export function* routeBounds(route: Described): Generator<Bound> {
  const { api, parameters, combinations, hasUrls } = route;
  yield* boundsOf(parameters, api, route.method === 'GET');
  const valid = Object(validOf(parameters, api));
  if (hasUrls) yield { at: 'urls', sent: { ...valid, urls: [] }, kind: 'combination' };
  for (const combination of combinations) {
    const conditions = Object.entries<readonly unknown[]>(Object(combination.if));
    const at = conditions.map(([name]) => name).join(' with ');
    for (const values of choices(conditions.map(([, each]) => each))) {
      const sent = structuredClone(valid);
      for (const [index, [name]] of conditions.entries())
        put(sent, name.split('.'), values[index], parameters, api);
      yield { at, sent, kind: 'combination' };
    }
    if (!conditions.every(([, [first]]) => first === '*')) continue;
    const [[name] = ['']] = conditions;
    const alone = structuredClone(valid);
    put(alone, name.split('.'), '*', parameters, api);
    yield { at, sent: alone, kind: 'accepted' };
  }
}

/** One value of each list, in every way. */
function choices(lists: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  const [first, ...others] = lists;
  if (!first) return [[]];
  return first.flatMap((value) => choices(others).map((rest) => [value, ...rest]));
}

/** Puts a value of a combination in its place: `*` is any value, null an absent one. */
function put(
  target: Record<string, unknown>,
  [name = '', ...inner]: readonly string[],
  value: unknown,
  { properties }: Schema,
  api: JsonObject,
): void {
  const schema = Object(Object(properties)[name]);
  if (inner.length === 0) {
    if (value === null) delete target[name];
    else target[name] = value === '*' ? validOf(schema, api, name) : value;
  } else if (value !== null) {
    target[name] = { ...Object(target[name]) };
    put(Object(target[name]), inner, value, schema, api);
  }
}

/** Values just inside and just outside each bound of a schema. In a query all values are texts. */
function* boundsOf(schema: Schema, api: JsonObject, inQuery: boolean, at = ''): Generator<Bound> {
  const alternatives = alternativesOf(schema, api);
  if (hasOwnCheck(Object(schema.items ?? schema), api)) return;
  const types = alternatives.map(typeOf);
  const others = Object.keys(TYPED).filter((type) => !types.includes(type));
  const wrong = inQuery ? others.filter((type) => type === 'string') : others;
  for (const type of at === '' ? [] : wrong) yield { at, sent: TYPED[type], kind: 'invalid' };
  for (const one of alternatives) yield* ownBounds(one, api, inQuery, at);
}

function* ownBounds(schema: Schema, api: JsonObject, inQuery: boolean, at: string) {
  const { properties, items, enum: names, type } = schema;
  if (isObject(properties)) yield* memberBounds(schema, api, inQuery, at);
  else if (isObject(items)) yield* listBounds(schema, items, api, at);
  else if (Array.isArray(names)) yield* marked(at, [names[0], names.at(-1)], [`not ${names[0]}`]);
  else if (type === 'boolean') yield* marked(at, [true, false], []);
  else if (type === 'object') yield* marked(at, [{}], []);
  else if (type === 'integer' || type === 'number') {
    const { inside, outside } = numbersOf(schema);
    yield* marked(at, inside, outside);
  } else {
    const { inside, outside } = textsOf(schema, at);
    yield* marked(at, inside, outside);
  }
}

function* marked(at: string, inside: readonly unknown[], outside: readonly unknown[]) {
  for (const sent of inside) yield { at, sent, kind: 'accepted' as const };
  for (const sent of outside) yield { at, sent, kind: 'invalid' as const };
}

function* memberBounds(
  schema: Schema,
  api: JsonObject,
  inQuery: boolean,
  at: string,
): Generator<Bound> {
  const properties = Object(schema.properties);
  const valid = Object(validOf(schema, api));
  const placeOf = (name: string) => (at === '' ? name : `${at}.${name}`);
  const optional = Object.keys(properties).filter((name) => !(name in valid));
  const nulls = Object.fromEntries(optional.map((name) => [name, null]));
  yield { at, sent: inQuery ? valid : { ...valid, ...nulls }, kind: 'accepted' };
  yield { at: placeOf('no_such_name'), sent: { ...valid, no_such_name: '5' }, kind: 'unknown' };
  for (const name of requiredOf(schema)) {
    const { [name]: _left, ...others } = valid;
    yield { at: placeOf(name), sent: others, kind: 'missing' };
    if (!inQuery) yield { at: placeOf(name), sent: { ...others, [name]: null }, kind: 'missing' };
  }
  for (const [name, member] of Object.entries<Schema>(properties))
    for (const bound of boundsOf(member, api, inQuery, placeOf(name)))
      yield { ...bound, sent: { ...valid, [name]: bound.sent } };
}

function* listBounds(schema: Schema, items: Schema, api: JsonObject, at: string) {
  const { minItems = 0, maxItems } = schema;
  const name = at.split('.').at(-1) ?? '';
  const list = (length: number) => listOf(length, items, api, name);
  const least = Number(minItems);
  const most = maxItems === undefined ? [] : [list(Number(maxItems))];
  yield* marked(at, [list(Math.max(least, 1)), ...most], least > 0 ? [list(least - 1)] : []);
  if (maxItems !== undefined) yield* marked(at, [], [list(Number(maxItems) + 1)]);
  for (const bound of boundsOf(items, api, false, at))
    yield { ...bound, sent: [...list(1), bound.sent].slice(-Math.max(1, least)) };
}

/** A number without `minimum` is 0 or more. */
function numbersOf({ type, minimum = 0, maximum, exclusiveMinimum }: Schema) {
  const step = type === 'integer' ? 1 : 0.01;
  const above = exclusiveMinimum === undefined ? undefined : Number(exclusiveMinimum);
  const least = above === undefined ? Number(minimum) : above + step;
  const most = maximum === undefined ? [] : [Number(maximum)];
  return {
    inside: [least, ...most],
    outside: [
      above ?? least - step,
      ...most.map((number) => number + step),
      ...(type === 'integer' ? [least + 0.5] : []),
    ],
  };
}

function textsOf(schema: Schema, at: string) {
  const { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema;
  const fits = (text: string) =>
    text.length >= Number(minLength) &&
    text.length <= Number(maxLength) &&
    new RegExp(String(pattern ?? '')).test(text) &&
    (format === undefined || /^2026-01-02(T|$)/.test(text)) &&
    !(format === 'date' && text.includes('T'));
  const isAddress = /(^|\.)(urls?|ids)$/.test(at);
  const known = TEXTS.filter((text) => fits(text) && (!isAddress || text.startsWith('https:')));
  const [text] = known;
  if (text === undefined) throw new Error(`TEXTS has none for ${at}: ${JSON.stringify(schema)}`);
  const grown = [...lengthened(text, maxLength), ...counted(pattern)];
  return {
    inside: [text, ...grown.filter(fits)],
    outside: [...ODD, ...grown].filter((one) => !fits(one)),
  };
}

/** A text at its greatest length, and one that is longer by a character. */
function lengthened(text: string, maxLength: unknown): readonly string[] {
  const most = Number(maxLength);
  if (!Number.isFinite(most)) return [];
  return [most, most + 1].map((length) => text.padEnd(length, 'x'));
}

/** As many words as a pattern with `{0,N}` at its end allows, and one more. */
function counted(pattern: unknown): readonly string[] {
  const [, more] = /\{0,(\d+)\}\S{0,4}\$$/.exec(String(pattern)) ?? [];
  if (more === undefined) return [];
  const separator = String(pattern).includes(',') && !String(pattern).includes('\\s+') ? ',' : ' ';
  return [1, 2].map((extra) =>
    Array(Number(more) + extra)
      .fill('a')
      .join(separator),
  );
}
