import { fromJsonSchema, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

export type Json = { readonly [key: string]: unknown };
type Properties = Readonly<Record<string, Json>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of one of the contract's request schemas, each as JSON Schema in the plain form that hosts accept. */
export function fieldsOf(schema: z.ZodType): Properties {
  const { $defs, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return flatFields(resolved(json, $defs ?? {}));
}

/** A named schema stands beside its use. */
function resolved(schema: Json, definitions: Json): Json {
  if (typeof schema.$ref !== 'string') return schema;
  const { $ref, ...rest } = schema;
  const named = definitions[$ref.replace('#/$defs/', '')];
  return isObject(named) ? { ...named, ...rest } : rest;
}

/** The fields of a field that is an object itself. */
const flatFields = ({ properties }: Json): Properties =>
  isObject(properties)
    ? Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [
          name,
          flat(isObject(field) ? field : {}),
        ]),
      )
    : {};

/**
 * "This or null" becomes "this, or absent": hosts refuse a whole session over a union in a tool's arguments, and zod's
 * bounds of a safe integer tell nobody anything.
 */
function flat({ anyOf, $schema: _, ...rest }: Json): Json {
  const [only] = Array.isArray(anyOf) ? anyOf.filter(isObject).filter(isNotNull) : [];
  const { type, ...joined }: Json = { ...only, ...rest };
  const [own] = Array.isArray(type) ? type.filter((name) => name !== 'null') : [type];
  return Object.fromEntries(
    Object.entries({ type: own, ...joined }).filter(([, value]) => !isBoundOfSafety(value)),
  );
}

const isBoundOfSafety = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER;

const isNotNull = ({ type }: Json): boolean => type !== 'null';

/** The arguments of a tool: one flat object. */
export function argumentsSchema<Arguments>(
  properties: Properties,
  required: readonly string[] = [],
): StandardSchemaWithJSON<Arguments, Arguments> {
  return fromJsonSchema<Arguments>({ type: 'object', properties, required: [...required] });
}

/**
 * What a tool answers: the contract's fields, open to more of them and to codes of a newer server, with nothing to look up
 * elsewhere.
 */
export function answerSchema(schema: z.ZodType): StandardSchemaWithJSON<Json, Json> {
  const {
    $defs,
    $schema: _,
    ...json
  } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  const opened = open(json, isObject($defs) ? $defs : {});
  return fromJsonSchema<Json>(isObject(opened) ? opened : {});
}

/**
 * Keywords that close a schema, narrow its texts, or name it. A field of such a name has a schema as its value, so it stays.
 * Keywords of our own (`x-…`) go as well: validators may refuse what they do not know.
 */
const CLOSING = new Set(['$ref', 'additionalProperties', 'enum', 'const', 'format', 'id']);

function open(value: unknown, definitions: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => open(item, definitions));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) =>
      !isBoundOfSafety(inner) &&
      !key.startsWith('x-') &&
      (!CLOSING.has(key) || (isObject(inner) && key !== 'additionalProperties')),
  );
  const opened = Object.fromEntries(kept.map(([key, inner]) => [key, open(inner, definitions)]));
  if (typeof value.$ref !== 'string') return opened;
  const named = open(resolved({ $ref: value.$ref }, definitions), definitions);
  return isObject(named) ? { ...named, ...opened } : opened;
}
