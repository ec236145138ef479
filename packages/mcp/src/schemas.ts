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
    Object.entries({ type: own, ...joined }).filter(
      ([key, value]) => !isBoundOfSafety(value) && !isOfOpenApi(key),
    ),
  );
}

/** Keywords that OpenAPI documents have beside those of JSON Schema: validators may refuse what they do not know. */
const isOfOpenApi = (key: string): boolean => /^(?:examples?$|x-)/.test(key);

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
