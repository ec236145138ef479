import { fromJsonSchema, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';

export type JsonSchema = { readonly [key: string]: unknown };
type Properties = Readonly<Record<string, JsonSchema>>;

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
  return isObject(named) ? { ...named, ...rest } : rest;
}

/** The fields of an object schema. */
const flatFields = ({ properties }: JsonSchema): Properties =>
  isObject(properties)
    ? Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [
          name,
          flat(isObject(field) ? field : {}),
        ]),
      )
    : {};

/**
 * "This or null" becomes "this, or absent", since hosts refuse a whole session over a union in a
 * tool's arguments, or over a format other than `date-time`: the API checks the value. zod's bounds
 * of a safe integer are removed, since they are of no use to a model.
 */
function flat({ anyOf, $schema: _, ...rest }: JsonSchema): JsonSchema {
  const [only] = Array.isArray(anyOf) ? anyOf.filter(isObject).filter(isNotNull) : [];
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

/**
 * The arguments of a tool, as one flat object. Accepts the strings that models send instead of
 * lists.
 */
export function argumentsSchema<Arguments>(
  properties: Properties,
  { required = [], names = [] }: ArgumentForms = {},
): StandardSchemaWithJSON<Arguments, Arguments> {
  const schema = fromJsonSchema<Arguments>({ type: 'object', properties, required: [...required] });
  const { validate, ...rest } = schema['~standard'];
  const lists = Object.keys(properties).filter((name) => properties[name]?.type === 'array');
  const normalized = (given: JsonSchema): JsonSchema =>
    Object.fromEntries(
      Object.entries(given)
        .map(([name, value]) => {
          if (names.includes(name)) return [name, namesOf(value)] as const;
          return [name, lists.includes(name) ? textsOf(value) : value] as const;
        })
        // the contract treats null as absent
        .filter(([, value]) => value !== null),
    );
  return {
    '~standard': {
      ...rest,
      validate: (given, options) => validate(isObject(given) ? normalized(given) : given, options),
    },
  };
}

/** Turns a string, or a JSON list of strings, into a list. The schema refuses anything else. */
function textsOf(value: unknown): unknown {
  return typeof value === 'string' ? (listInText(value) ?? [value]) : value;
}

/**
 * The same for names, which may also be separated by commas. A string without a name counts as
 * absent.
 */
function namesOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const names = listInText(value) ?? value.split(',');
  const given = names.map((name) => name.trim()).filter((name) => name !== '');
  return given.length > 0 ? given : null;
}

function listInText(text: string): readonly string[] | null {
  if (!text.trimStart().startsWith('[')) return null;
  try {
    const list: unknown = JSON.parse(text);
    const isList = Array.isArray(list) && list.every((item) => typeof item === 'string');
    return isList ? list : null;
  } catch {
    // a text that only looks like a list at its start, such as a query
    return null;
  }
}
