import { z } from 'zod';
import { ROUTES, type Route, TAGS } from './routes.ts';
import { DetailError, TypedError, ValidationError } from './schemas/errors.ts';

type Json = { [key: string]: unknown };

const COMPONENTS = '#/components/schemas/';

/**
 * The OpenAPI 3.1 document of a route table. Request schemas are described as sent, answers as returned.
 * @param version the version of the running service
 */
export function openApiDocument(version: string, routes: Record<string, Route> = ROUTES): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const [id, route] of Object.entries(routes)) {
    const item = paths[route.path] ?? {};
    item[route.method.toLowerCase()] = operation(id, route, components);
    paths[route.path] = item;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'trawl',
      version,
      description: 'Web search and page fetch router: one key, one vocabulary, many providers.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: TAGS.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: components,
    },
  };
}

function operation(id: string, route: Route, components: Json): Json {
  const parameters = [
    ...parametersOf(route.params, 'path', components),
    ...parametersOf(route.query, 'query', components),
    ...(route.executes ? [IDEMPOTENCY_KEY] : []),
  ];
  return {
    operationId: id,
    summary: route.summary,
    tags: [route.tag],
    ...(route.permission === null ? { security: [] } : { 'x-permission': route.permission }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(route.body, 'input', components) } },
          },
        }
      : {}),
    responses: {
      [route.status]:
        route.status === 204
          ? { description: 'Done.' }
          : {
              description: 'The answer.',
              content: {
                'application/json': { schema: answerSchema(route, components) },
                ...(route.executes ? { 'text/event-stream': eventsOf(route.executes) } : {}),
              },
            },
      ...errorResponses(route, components),
    },
  };
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to repeat: for 24 hours the same key with the same body gets the same answer, and nothing is paid twice.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** With `Accept: text/event-stream`. */
const eventsOf = (part: 'run' | 'page'): Json => ({
  schema: {
    type: 'string',
    description: `Events \`${part}\` as they land, then \`done\` with the JSON answer, or \`error\` with the JSON error.`,
  },
});

function answerSchema({ response, dryRun }: Route, components: Json): Json {
  const plain = schemaOf(response, 'output', components);
  return dryRun ? { anyOf: [plain, schemaOf(dryRun, 'output', components)] } : plain;
}

function errorResponses(route: Route, components: Json): Json {
  const typed = route.errors === 'typed';
  const plain = schemaOf(typed ? TypedError : DetailError, 'output', components);
  const invalid = schemaOf(typed ? TypedError : ValidationError, 'output', components);
  const answer = (description: string, schema: Json): Json => ({
    description,
    content: { 'application/json': { schema } },
  });
  const takesInput = Boolean(route.body || route.query || route.params);
  return {
    ...(route.body
      ? { 400: answer('The request contradicts itself or names something unknown.', plain) }
      : {}),
    ...(route.permission === null
      ? {}
      : {
          401: answer('Missing or invalid API key.', plain),
          403: answer('The key may not do this.', plain),
          429: answer('Too many requests; see Retry-After.', plain),
        }),
    ...(route.executes ? { 402: answer('A monthly budget is used up.', plain) } : {}),
    ...(route.params || route.query
      ? { 404: answer('Unknown, or of another project.', plain) }
      : {}),
    ...(takesInput ? { 422: answer('Validation failed.', invalid) } : {}),
    ...(typed ? { 502: answer('No pinned provider could be reached.', plain) } : {}),
    503: answer('The service cannot answer now; see Retry-After.', plain),
  };
}

function parametersOf(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query',
  components: Json,
): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: withoutNull(lift(property as Json, components)),
  }));
}

/** A parameter in a query string cannot be null, so the union with null that marks "optional" goes. */
function withoutNull(schema: Json): Json {
  const { anyOf: branches, type: types } = schema;
  if (Array.isArray(types)) return { ...schema, type: types.find((type) => type !== 'null') };
  if (!Array.isArray(branches)) return schema;
  const [only, ...more] = branches.filter((branch: Json) => branch.type !== 'null') as Json[];
  if (!only || more.length > 0) return schema;
  const { anyOf: _, ...rest } = schema;
  return { ...only, ...rest };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  const { id, ...lifted } = lift(json, components);
  if (typeof id !== 'string') return lifted;
  components[id] = lifted;
  return { $ref: COMPONENTS + id };
}

/** Moves a schema's own definitions to the document's components and points the references there. */
function lift(json: Json, components: Json): Json {
  const { $defs, ...body } = json;
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>)) {
    const { id: _, ...rest } = repoint(definition) as Json;
    components[name] = rest;
  }
  return repoint(body) as Json;
}

function repoint(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(repoint);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', COMPONENTS)]
        : [key, repoint(inner)],
    ),
  );
}
