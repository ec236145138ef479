import { describe, expect, test } from 'vitest';
import { isJsonObject, openApiDocument, ROUTES } from '../src/index.ts';

const document = await openApiDocument('1.2.3');

/** Every `$ref` of a document. */
function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' ? [String(inner)] : references(inner),
  );
}

function resolve(reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (isJsonObject(at) ? at[key] : undefined), document);
}

const at = (...path: string[]): unknown => resolve(`#/${path.join('/')}`);

/**
 * Viewers fill in the example of a parameter: a request that a reader tries should do what it says.
 */
const CHANGES_THE_REQUEST: ReadonlySet<string> = new Set(['dry_run', 'Idempotency-Key']);

interface Body {
  readonly headers?: object;
  readonly content?: Readonly<Record<string, { readonly examples?: object }>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body & { readonly $ref?: string }>>;
  readonly security?: readonly unknown[];
}

const operations = (): Operation[] =>
  Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((item) =>
    Object.values(item),
  );

describe('the OpenAPI document', () => {
  test('is 3.1 and names the running version', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
  });

  test('has every route of the table, with its id', () => {
    for (const [id, route] of Object.entries(ROUTES)) {
      const item = (document.paths as Record<string, Record<string, unknown>>)[route.path];
      expect(item?.[route.method.toLowerCase()]).toMatchObject({ operationId: id });
    }
  });

  test('every reference resolves', () => {
    const all = references(document);
    expect(all.length).toBeGreaterThan(20);
    expect(all.filter((reference) => resolve(reference) === undefined)).toEqual([]);
  });

  test('says which routes need no key', () => {
    for (const route of Object.values(ROUTES)) {
      const operation = (document.paths as Record<string, Record<string, unknown>>)[route.path]?.[
        route.method.toLowerCase()
      ];
      const isOpen = isJsonObject(operation) && Array.isArray(operation.security);
      expect([route.path, isOpen]).toEqual([route.path, route.permission === null]);
    }
  });

  test('describes requests as sent: defaults optional, unknown search keys refused, null allowed', () => {
    const options = at('components', 'schemas', 'SearchOptions');
    expect(options).toMatchObject({ type: 'object', additionalProperties: false });
    expect(isJsonObject(options) && options.required).toBeFalsy();
    expect(at('components', 'schemas', 'SearchRequest')).toMatchObject({
      required: ['user_input'],
    });
  });

  test('describes a path parameter and the query parameters next to it', () => {
    const operation = (document.paths as Record<string, Record<string, unknown>>)[
      '/v1/sessions/{session_id}/history'
    ]?.get;
    expect(operation).toMatchObject({
      parameters: [
        { name: 'session_id', in: 'path', required: true, schema: { format: 'uuid' } },
        { name: 'type', in: 'query', required: false, schema: { enum: ['short', 'full'] } },
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1000 } },
        { name: 'after', in: 'query', schema: { format: 'uuid' } },
      ],
    });
  });

  test('describes the payload of a run, its warnings and its error', () => {
    for (const name of [
      'SearchOutput',
      'ResultRow',
      'FetchOutput',
      'FetchRow',
      'Warning',
      'RunError',
    ]) {
      expect(at('components', 'schemas', name)).toMatchObject({ type: 'object' });
    }
  });

  test('every field has a description, and every object a name', () => {
    const { schemas } = document.components as { schemas: Record<string, unknown> };
    const silent: string[] = [];
    const nameless: string[] = [];
    const visit = (schema: unknown, path: string): void => {
      if (Array.isArray(schema)) for (const item of schema) visit(item, path);
      if (!isJsonObject(schema)) return;
      if (path.includes('.') && isJsonObject(schema.properties)) nameless.push(path);
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        const named = typeof property.$ref === 'string' ? resolve(property.$ref) : {};
        const description =
          property.description ?? (isJsonObject(named) ? named.description : undefined);
        if (typeof description !== 'string') silent.push(`${path}.${name}`);
        visit(property, `${path}.${name}`);
      }
      for (const inner of [schema.items, schema.oneOf, schema.anyOf, schema.additionalProperties]) {
        visit(inner, `${path}.`);
      }
    };
    for (const [name, schema] of Object.entries(schemas)) {
      if (!isJsonObject(schema) || typeof schema.description !== 'string') silent.push(name);
      visit(schema, name);
    }
    expect({ silent, nameless }).toEqual({ silent: [], nameless: [] });
  });

  test('every parameter and header has a description and an example', () => {
    const { headers, parameters } = document.components as Record<string, Record<string, object>>;
    const shared = [headers, parameters].flatMap((part) => Object.values(part ?? {}));
    const all = [...shared, ...operations().flatMap((each) => each.parameters ?? [])];
    const own = all.filter((each) => !('$ref' in each));
    expect(own.length).toBeGreaterThan(20);
    for (const each of own) {
      expect(each, JSON.stringify(each)).toMatchObject({
        description: expect.stringMatching(/\w/),
      });
      if ('name' in each && CHANGES_THE_REQUEST.has(String(each.name))) continue;
      expect(each, JSON.stringify(each)).toHaveProperty('example');
    }
  });

  test('parameters that change the meaning of a request have no example and no default, so viewers leave them empty', () => {
    const { parameters = {} } = document.components as Record<string, Record<string, object>>;
    const all = [
      ...Object.values(parameters),
      ...operations().flatMap((each) => each.parameters ?? []),
    ];
    const found = all.filter(
      (each) => 'name' in each && CHANGES_THE_REQUEST.has(String(each.name)),
    );
    expect(found).toHaveLength(9);
    for (const each of found) {
      expect(each).not.toHaveProperty('example');
      expect(each).not.toHaveProperty('schema.example');
      expect(each).not.toHaveProperty('schema.default');
    }
  });

  test('every body that is sent or answered has an example, and every answer its headers', () => {
    for (const { operationId, requestBody, responses } of operations()) {
      const answers = Object.entries(responses).map(([status, answer]) => {
        const resolved = typeof answer.$ref === 'string' ? resolve(answer.$ref) : answer;
        return { place: `${operationId} ${status}`, ...(resolved as Body) };
      });
      for (const { place, content = {}, headers } of [
        ...answers,
        ...(requestBody ? [{ place: operationId, headers: true, ...requestBody }] : []),
      ]) {
        expect(headers, place).toBeTruthy();
        for (const { examples } of Object.values(content)) {
          expect(Object.keys(examples ?? {}), place).not.toEqual([]);
        }
      }
    }
  });

  test('every operation describes the errors of a wrong key and wrong input', () => {
    for (const { operationId, parameters, requestBody, responses, security } of operations()) {
      const statuses = Object.keys(responses);
      const expected = [
        ...(security ? [] : ['401', '403', '429', '503']),
        ...(parameters || requestBody ? ['422'] : []),
        ...(requestBody ? ['400', '413', '415'] : []),
        '500',
      ];
      expect(statuses, operationId).toEqual(expect.arrayContaining(expected));
    }
  });

  test('later versions may add fields to answers and words to open lists', () => {
    const { RunError, Warning, InteractionResponse } = at('components', 'schemas') as Record<
      string,
      Record<string, unknown>
    >;
    expect(InteractionResponse).not.toHaveProperty('additionalProperties');
    for (const open of [RunError, Warning]) {
      expect(open).toMatchObject({
        properties: { code: { type: 'string', 'x-extensible-enum': expect.any(Array) } },
      });
      expect(open).not.toHaveProperty('properties.code.enum');
    }
  });

  test('the trajectory node refers to itself', () => {
    expect(JSON.stringify(at('components', 'schemas', 'SessionTrajectoryNode'))).toContain(
      '"$ref":"#/components/schemas/SessionTrajectoryNode"',
    );
  });
});
