import { z } from 'zod';
import { OPEN_WORDS, WORD_MEANINGS } from '../schemas/json.ts';
import { isJsonObject } from '../values/json-object.ts';

export type OpenApiObject = { [key: string]: unknown };
/** Requests are described as sent, answers as returned. */
export type Direction = 'input' | 'output';

const COMPONENTS = '#/components/schemas/';

/**
 * A schema as the document shows it. Named ones go to the components, and `$ref` points to them.
 */
export const schemaOf = (
  schema: z.ZodType,
  io: Direction,
  components: OpenApiObject,
): OpenApiObject =>
  tidy(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), io, components) as OpenApiObject;

/** The fields of an object as parameters. */
export function parametersOf(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query',
  components: OpenApiObject,
): OpenApiObject[] {
  if (!schema) return [];
  const { properties = {}, required } = schemaOf(schema, 'input', components);
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return Object.entries(properties as Record<string, OpenApiObject>).map(([name, property]) => {
    const { description, example, ...rest } = property;
    return {
      name,
      in: place,
      required: isRequired(name),
      description,
      schema: withoutNull(rest),
      ...(example === undefined ? {} : { example }),
    };
  });
}

/** A parameter in a query string cannot be null. */
function withoutNull({ type, enum: words, ...rest }: OpenApiObject): OpenApiObject {
  const [only] = Array.isArray(type) ? type.filter((name) => name !== 'null') : [type];
  return {
    type: only,
    ...(Array.isArray(words) ? { enum: words.filter((word) => word !== null) } : {}),
    ...rest,
  };
}

/**
 * A schema in the keywords that generators of clients know best. One with an id goes to the
 * components.
 */
function tidy(value: unknown, io: Direction, components: OpenApiObject): unknown {
  if (Array.isArray(value)) return value.map((item) => tidy(item, io, components));
  if (!isJsonObject(value)) return value;
  const { $schema: _, $defs, ...own } = value;
  for (const [id, definition] of Object.entries(isJsonObject($defs) ? $defs : {})) {
    tidy(isJsonObject(definition) ? { ...definition, id } : {}, io, components);
  }
  const inner = Object.entries(own).map(([key, child]) => [
    key,
    key === '$ref' && typeof child === 'string'
      ? child.replace('#/$defs/', COMPONENTS)
      : tidy(child, io, components),
  ]);
  const { id, ...schema } = [
    plainUnion,
    wholeNumber,
    openWords,
    formatOnly,
    io === 'output' ? openObject : looseObject,
  ].reduce((each: OpenApiObject, step) => step(each), Object.fromEntries(inner) as OpenApiObject);
  if (id === undefined) return schema;
  // a field of this name has a schema as its value
  if (typeof id !== 'string') return { id, ...schema };
  components[id] = schema;
  return { $ref: COMPONENTS + id };
}

/**
 * "This or null" of one type becomes a list of types. In the unions that remain, only one member
 * can match.
 */
function plainUnion({ anyOf: branches, ...rest }: OpenApiObject): OpenApiObject {
  if (!Array.isArray(branches)) return rest;
  const [only, ...more] = branches.filter(
    ({ type }: OpenApiObject) => type !== 'null',
  ) as OpenApiObject[];
  const isNullable = 1 + more.length < branches.length;
  if (!isNullable || more.length > 0 || typeof only?.type !== 'string') {
    return { ...rest, oneOf: branches.flatMap((branch: OpenApiObject) => branch.oneOf ?? branch) };
  }
  const { const: word, enum: words = word === undefined ? undefined : [word], ...kept } = only;
  return {
    ...kept,
    ...(Array.isArray(words) ? { enum: [...words, null] } : {}),
    ...rest,
    type: [only.type, 'null'],
  };
}

/** zod's bounds of a safe integer only say that 32 bits may be too few. */
function wholeNumber(schema: OpenApiObject): OpenApiObject {
  const { maximum, minimum, ...rest } = schema;
  const isInteger = [schema.type].flat().includes('integer');
  if (Number.isInteger(schema.const)) return { ...schema, type: 'integer' };
  if (!isInteger || maximum !== Number.MAX_SAFE_INTEGER) return schema;
  return {
    ...rest,
    ...(minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    format: 'int64',
  };
}

/** A list that may grow is not an `enum`: a generated client would refuse a new word. */
function openWords({ [WORD_MEANINGS]: meanings, ...schema }: OpenApiObject): OpenApiObject {
  const words = schema[OPEN_WORDS];
  if (!Array.isArray(words)) return schema;
  const { enum: _, description, ...rest } = schema;
  const known = meanings
    ? `:${Object.entries(meanings)
        .map(([word, meaning]) => `\n- \`${word}\`: ${meaning}`)
        .join('')}\n\nMore`
    : ` ${words.map((word) => `\`${word}\``).join(', ')}; more`;
  const listed = `Today it is one of${known}.`;
  return { ...rest, description: description ? `${description} ${listed}` : listed };
}

/** A format says the same as the pattern next to it. */
function formatOnly(schema: OpenApiObject): OpenApiObject {
  const { pattern: _, ...rest } = schema;
  return typeof schema.format === 'string' ? rest : schema;
}

/** "Of any form" in the shorter of its two spellings. */
function looseObject({ additionalProperties, ...schema }: OpenApiObject): OpenApiObject {
  if (additionalProperties === undefined) return schema;
  const isAny =
    isJsonObject(additionalProperties) && Object.keys(additionalProperties).length === 0;
  return { ...schema, additionalProperties: isAny ? true : additionalProperties };
}

/** An answer may get more fields. */
function openObject(schema: OpenApiObject): OpenApiObject {
  const { additionalProperties, ...rest } = looseObject(schema);
  return additionalProperties === false ? rest : looseObject(schema);
}
