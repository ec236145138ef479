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

/** What every tool answers beside the contract's fields. */
const OWN = z.object({
  notice: z.string(),
  truncated: z.boolean().describe('Whether anything was left out; `rest` says how to get it.'),
  rest: z.string().optional(),
});

/**
 * What a tool answers: the contract's fields, open to more of them and to codes of a newer server, with nothing to look up
 * elsewhere. What a field of the contract means is left to the API's document, since a host reads every list of tools in full.
 */
export function answerSchema(contract: z.ZodObject): StandardSchemaWithJSON<Json, Json> {
  const { $defs, ...json } = z.toJSONSchema(contract.extend(OWN.shape), {
    io: 'output',
    unrepresentable: 'any',
  });
  const { properties, ...opened } = open(json, isObject($defs) ? $defs : {});
  const fields = isObject(properties) ? properties : {};
  const answer: Json = { ...opened, properties: { ...fields, ...fieldsOf(OWN) } };
  return fromJsonSchema<Json>(answer);
}

/** Keywords that close a schema, narrow its texts, name it, or explain it. */
const LEFT_OUT = new Set([
  '$schema',
  '$ref',
  'additionalProperties',
  'enum',
  'const',
  'format',
  'id',
  'description',
]);

function open(schema: Json, definitions: Json): Json {
  const kept = Object.entries(schema).filter(
    ([key, value]) => !LEFT_OUT.has(key) && !isOfOpenApi(key) && !isBoundOfSafety(value),
  );
  const opened = Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      // the keys of `properties` are names of fields, which may be those of keywords
      key === 'properties' && isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, field]) => [name, openValue(field, definitions)]),
          )
        : openValue(value, definitions),
    ]),
  );
  if (typeof schema.$ref !== 'string') return opened;
  return { ...open(resolved({ $ref: schema.$ref }, definitions), definitions), ...opened };
}

function openValue(value: unknown, definitions: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => openValue(item, definitions));
  return isObject(value) ? open(value, definitions) : value;
}
