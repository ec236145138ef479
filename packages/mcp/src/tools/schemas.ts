import { fromJsonSchema, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { isJsonObject } from '@trawl/contract/json-object';
import { z } from 'zod';

import { type JsonSchema, type Properties, readArguments } from './lenient.ts';

/** The description of `session_id`. */
export const SESSION_ARGUMENT =
  'The session_id of an earlier answer, to keep the steps of one task together.';

/**
 * The fields of a request schema of the contract, each as JSON Schema in the plain form that hosts
 * accept.
 */
export function fieldsOf(schema: z.ZodType): Properties {
  const { $defs, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return flatFields(resolved(json, $defs ?? {}));
}

/** Replaces a reference by the named schema, and keeps the keywords next to the reference. */
function resolved(schema: JsonSchema, definitions: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema;
  const { $ref, ...rest } = schema;
  const named = definitions[$ref.replace('#/$defs/', '')];
  return isJsonObject(named) ? { ...named, ...rest } : rest;
}

/** The fields of an object schema. */
const flatFields = ({ properties }: JsonSchema): Properties =>
  isJsonObject(properties)
    ? Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [
          name,
          flat(isJsonObject(field) ? field : {}),
        ]),
      )
    : {};

/**
 * "This or null" becomes "this, or absent", since hosts refuse a whole session over a union in a
 * tool's arguments, or over a format other than `date-time`: the API checks the value. zod's bounds
 * of a safe integer are removed, since they are of no use to a model.
 */
function flat({ anyOf, $schema: _, ...rest }: JsonSchema): JsonSchema {
  const [only] = Array.isArray(anyOf) ? anyOf.filter(isJsonObject).filter(isNotNull) : [];
  const { type, ...joined }: JsonSchema = { ...only, ...rest };
  const [own] = Array.isArray(type) ? type.filter((name) => name !== 'null') : [type];
  return Object.fromEntries(
    Object.entries({ type: own, ...joined }).filter(
      ([key, value]) =>
        !isBoundOfSafety(value) && !isOfOpenApi(key) && !isRefusedFormat(key, value),
    ),
  );
}

/** Keywords that OpenAPI adds to JSON Schema: validators may refuse unknown keywords. */
const isOfOpenApi = (key: string): boolean => /^(?:examples?$|x-)/.test(key);

const isRefusedFormat = (key: string, value: unknown): boolean =>
  key === 'format' && value !== 'date-time';

const isBoundOfSafety = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER;

const isNotNull = ({ type }: JsonSchema): boolean => type !== 'null';

interface ArgumentForms {
  readonly required?: readonly string[];
  /**
   * Lists of names, which cannot contain a comma. They may include arguments that are not among the
   * properties.
   */
  readonly names?: readonly string[];
}

/** The arguments of a call, and names of those that its tool does not have. */
export interface Given<Arguments> {
  readonly given: Arguments;
  readonly ignored: readonly string[];
}

/**
 * The arguments of a tool, as one flat object. Accepts the forms in which models and hosts send
 * them (`readArguments`).
 */
export function argumentsSchema<Arguments>(
  properties: Properties,
  { required = [], names = [] }: ArgumentForms = {},
): StandardSchemaWithJSON<Given<Arguments>, Given<Arguments>> {
  const schema = fromJsonSchema<Arguments>({ type: 'object', properties, required: [...required] });
  const { validate, version, vendor, jsonSchema } = schema['~standard'];
  const validated = async (given: JsonSchema) => {
    const { known, ignored } = readArguments(given, properties, names);
    const result = await validate(known);
    return result.issues ? result : { value: { given: result.value, ignored } };
  };
  return {
    '~standard': {
      version,
      vendor,
      jsonSchema,
      validate: (given) => validated(isJsonObject(given) ? given : {}),
    },
  };
}
