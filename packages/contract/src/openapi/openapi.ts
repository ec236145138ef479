import { ROUTES, type Route, type RouteId, TAGS } from '../routes/routes.ts';
import { answerHeaders, errorResponses, HEADERS } from './openapi-responses.ts';
import { type OpenApiObject, parametersOf, schemaOf } from './openapi-schemas.ts';
import { type RouteExamples, readExamples } from './route-examples.ts';

/** A route with all that the document says about it. */
interface Described extends Route {
  readonly id: string;
  readonly examples: RouteExamples;
}

interface Components {
  readonly schemas: OpenApiObject;
  readonly responses: OpenApiObject;
}

/**
 * The OpenAPI 3.1 document of the route table. Request schemas are described as sent, answers as
 * returned.
 * @param version the version of the running service
 */
export async function openApiDocument(version: string): Promise<OpenApiObject> {
  const examples = await readExamples();
  const components: Components = { schemas: {}, responses: {} };
  const paths: Record<string, OpenApiObject> = {};
  for (const [id, route] of Object.entries<Route>(ROUTES)) {
    const item = paths[route.path] ?? {};
    // a new route has none until `npm run docs` records them
    const described = { ...route, id, examples: examples[id as RouteId] ?? { answer: {} } };
    item[route.method.toLowerCase()] = operation(described, components);
    paths[route.path] = item;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'trawl',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that this document comes from.' }],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: { bearer: BEARER },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      headers: HEADERS,
      ...components,
    },
  };
}

const DESCRIPTION = `Web search and page fetch router: one key, one vocabulary, many providers.

Every answer has an \`X-Request-Id\`: the one that was sent, otherwise a new one. Bodies are JSON in UTF-8.

Later versions may add fields to answers, and words to lists marked \`x-extensible-enum\`: ignore what you do not know. In a request, null counts as absent; only in the operator API it removes a limit.

A provider that fails does not fail the request: check the \`status\` of each run. An answer waits for the slowest provider, so allow a minute or more for a call.`;

const BEARER: OpenApiObject = {
  type: 'http',
  scheme: 'bearer',
  description: 'An API key of this server, such as `trawl keys create` makes.',
};

/**
 * It has no example: viewers would fill it in, and the second request that a reader tries would be
 * refused.
 */
const IDEMPOTENCY_KEY: OpenApiObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to repeat: for 24 hours the same key with the same body gets the same answer, and nothing is paid twice.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

function operation(route: Described, { schemas, responses }: Components): OpenApiObject {
  const parameters = [
    ...parametersOf(route.params, 'path', schemas),
    ...parametersOf(route.query, 'query', schemas),
    ...((route.executes ?? route.isRepeatable)
      ? [{ $ref: '#/components/parameters/IdempotencyKey' }]
      : []),
  ];
  const { request } = route.examples;
  return {
    operationId: route.id,
    summary: route.summary,
    description: [route.description, ...factsOf(route)].join('\n\n'),
    tags: [route.tag],
    ...(route.permission === null ? { security: [] } : { 'x-permission': route.permission }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? {
          requestBody: {
            required: !route.body.safeParse(undefined).success,
            content: {
              'application/json': {
                schema: schemaOf(route.body, 'input', schemas),
                examples: request,
              },
            },
          },
        }
      : {}),
    responses: {
      [route.status]: answer(route, schemas),
      ...errorResponses(route, responses, schemas),
      ...unavailable(route, schemas),
    },
  };
}

/** The parameter that bounds the text for a model. */
const textBound = ({ query }: Route): string =>
  query && 'max_chars' in query.shape ? 'max_chars' : 'max_tokens';

/** Facts of the route table that follow the description of a route. */
function factsOf(route: Route): string[] {
  const { permission, alsoNeeds, executes, dryRun, isRepeatable, hasText } = route;
  const needed = [permission, alsoNeeds].flatMap((name) => (name ? [`\`${name}\``] : []));
  return [
    needed.length === 0
      ? 'Needs no key.'
      : `Needs the permission${needed.length > 1 ? 's' : ''} ${needed.join(' and ')}.`,
    ...(executes
      ? [
          `Each provider asked is a paid call, booked to the key's project; a refused request is not. With \`Idempotency-Key\` a repetition gets the first answer, and nothing is paid twice. With \`Accept: text/event-stream\` the answer comes in events: \`${executes}\` for each part as it arrives, then \`done\` with the whole answer, or \`error\` with the body of an error.`,
        ]
      : [isRepeatable ? PAID_ONCE : 'Nothing is billed.']),
    ...(hasText
      ? [
          `With \`Accept: text/markdown\`, or \`text/plain\` and no JSON, it answers as text for a model: numbered, fenced, and at most \`${textBound(route)}\` long. Errors stay JSON.`,
        ]
      : []),
    ...(dryRun ? ['With `dry_run=true` it answers a `DryRun` instead.'] : []),
  ];
}

const PAID_ONCE =
  'A call to the provider is paid, and booked to the key’s project; a refused request is not. With `Idempotency-Key` a repetition gets the first answer, and nothing is paid twice.';

function answer(route: Described, schemas: OpenApiObject): OpenApiObject {
  const headers = answerHeaders(route);
  if (route.status === 204) return { description: 'Done.', headers };
  const { examples } = route;
  return {
    description: 'The answer.',
    headers,
    content: {
      'application/json': {
        schema: answerSchema(route, schemas),
        examples: { ...examples.answer, ...examples.dryRun },
      },
      ...(route.executes
        ? { 'text/event-stream': { schema: EVENTS, examples: examples.events } }
        : {}),
      ...(route.hasText ? { 'text/markdown': { schema: TEXT, examples: examples.text } } : {}),
      ...(examples.csv ? { 'text/csv': { schema: TABLE, examples: examples.csv } } : {}),
    },
  };
}

const EVENTS: OpenApiObject = {
  type: 'string',
  description: 'Server-sent events; each `data` is JSON.',
};

const TEXT: OpenApiObject = {
  type: 'string',
  description: 'The answer as text for a model.',
};

const TABLE: OpenApiObject = {
  type: 'string',
  description: 'CSV (RFC 4180) with a header line, with `format=csv`.',
};

/** It has a name, so a generated client has one for the answer. */
function answerSchema({ response, dryRun }: Route, schemas: OpenApiObject): OpenApiObject {
  const plain = schemaOf(response, 'output', schemas);
  if (!dryRun) return plain;
  const name = `${String(plain.$ref)
    .replace(/^.*\//, '')
    .replace(/Response$/, '')}OrDryRun`;
  schemas[name] = {
    description: 'The answer, or with `dry_run=true` what would be called.',
    oneOf: [plain, schemaOf(dryRun, 'output', schemas)],
  };
  return { $ref: `#/components/schemas/${name}` };
}

/** A 503 that is an answer, not an error. */
function unavailable({ response, examples }: Described, schemas: OpenApiObject): OpenApiObject {
  if (!examples.unavailable) return {};
  return {
    503: {
      description: 'The server takes no requests at the moment.',
      headers: answerHeaders({ permission: null }),
      content: {
        'application/json': {
          schema: schemaOf(response, 'output', schemas),
          examples: examples.unavailable,
        },
      },
    },
  };
}
