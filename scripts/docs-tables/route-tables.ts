import {
  isJsonObject,
  type JsonObject,
  openApiDocument,
  ROUTES,
  type RouteId,
} from '@trawl/contract';
import { code, table } from './tables.ts';

/** One parameter or field of a request in the OpenAPI document. */
interface Parameter {
  readonly name: string;
  readonly place: string;
  readonly isRequired: boolean;
  readonly schema: JsonObject;
}

/**
 * The depth of bodies: fields of their objects are rows too, unless another route has already shown
 * them.
 */
const DEPTH = 3;
const DEPTH_OF: Partial<Record<RouteId, number>> = { createInteraction: 1 };

const DOCUMENT = await openApiDocument('');

const objectAt = (value: unknown, ...keys: readonly string[]): JsonObject => {
  const found = keys.reduce<unknown>(
    (inner, key) => (isJsonObject(inner) ? inner[key] : undefined),
    value,
  );
  return isJsonObject(found) ? found : {};
};

/** The schema without null (which means "absent") and without references. */
function plain(schema: JsonObject): JsonObject {
  if (typeof schema.$ref === 'string') {
    const { $ref: reference, ...rest } = schema;
    const named = objectAt(DOCUMENT, ...reference.replace('#/', '').split('/'));
    return plain({ ...named, ...rest });
  }
  if (isJsonObject(schema.items)) return { ...schema, items: plain(schema.items) };
  const { anyOf, oneOf, ...rest } = schema;
  const branches = oneOf ?? anyOf;
  if (!Array.isArray(branches)) return schema;
  const [only, ...more] = branches
    .filter(isJsonObject)
    .filter(({ type }) => type !== 'null')
    .map(plain);
  if (only === undefined) return rest;
  return more.length === 0 ? { ...only, ...rest } : { ...rest, oneOf: [only, ...more] };
}

function fieldsOf(schema: JsonObject, depth: number, prefix = ''): readonly Parameter[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(objectAt(schema, 'properties')).flatMap(([key, value]) => {
    const own = plain(objectAt({ value }, 'value'));
    const name = prefix + key;
    const element = isJsonObject(own.items) ? own.items : undefined;
    const inner = `${name}${element ? '[]' : ''}.`;
    return [
      { name, place: 'body', isRequired: required.includes(key), schema: own },
      ...(depth > 1 ? fieldsOf(element ?? own, depth - 1, inner) : []),
    ];
  });
}

function parametersOf(id: RouteId): readonly Parameter[] {
  const { path, method } = ROUTES[id];
  const operation = objectAt(DOCUMENT, 'paths', path, method.toLowerCase());
  const given = Array.isArray(operation.parameters) ? operation.parameters : [];
  const body = objectAt(operation, 'requestBody', 'content', 'application/json', 'schema');
  return [
    ...given
      .filter(isJsonObject)
      .map(plain)
      .map((parameter) => ({
        name: String(parameter.name),
        place: String(parameter.in),
        isRequired: parameter.required === true,
        schema: { ...plain(objectAt(parameter, 'schema')), ...descriptionOf(parameter) },
      })),
    ...fieldsOf(plain(body), DEPTH_OF[id] ?? DEPTH),
  ];
}

const descriptionOf = ({ description }: JsonObject): JsonObject =>
  typeof description === 'string' ? { description } : {};

/** The allowed values, in a few words. */
export function typeText(schema: JsonObject): string {
  const { type, enum: words, items, format, minimum, maximum, maxLength } = schema;
  if (Array.isArray(words)) {
    return words
      .filter((word) => word !== null)
      .map((word) => code(String(word)))
      .join(', ');
  }
  if (Array.isArray(schema.oneOf))
    return schema.oneOf.filter(isJsonObject).map(typeText).join(' or ');
  const [name = 'any'] = [type]
    .flat()
    .filter((each) => typeof each === 'string' && each !== 'null');
  if (name === 'array') {
    const isOfWords = isJsonObject(items) && Array.isArray(items.enum);
    const most = typeof schema.maxItems === 'number' ? `, at most ${schema.maxItems}` : '';
    return `list of ${isOfWords || !isJsonObject(items) ? 'names' : typeText(items)}${most}`;
  }
  const kind = typeof format === 'string' && name === 'string' ? format : name;
  const from = typeof minimum === 'number' ? `, from ${minimum}` : '';
  const isBounded = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER;
  const to = isBounded ? ` to ${maximum}` : '';
  const length = typeof maxLength === 'number' ? `, at most ${maxLength} characters` : '';
  return `${kind}${from}${to}${length}`;
}

function parametersTable(id: RouteId): string {
  return table(
    ['Name', 'In', 'Type', 'Meaning'],
    parametersOf(id).map(({ name, place, isRequired, schema }) => [
      isRequired ? `${code(name)}, required` : code(name),
      place,
      typeText(schema),
      typeof schema.description === 'string' ? schema.description : '',
    ]),
  );
}

/** The parameters of every route that takes some, by the name in their markers. */
export const ROUTE_TABLES: Readonly<Record<string, () => string>> = Object.fromEntries(
  (Object.keys(ROUTES) as RouteId[])
    .filter((id) => parametersOf(id).length > 0)
    .map((id) => [`parameters-${id}`, () => parametersTable(id)]),
);
