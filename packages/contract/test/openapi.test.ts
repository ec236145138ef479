import { describe, expect, test } from 'vitest';
import { isJsonObject, openApiDocument, ROUTES } from '../src/index.ts';

const document = openApiDocument('1.2.3');

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

  test('every reference leads somewhere', () => {
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

  test('describes a path parameter and the query beside it', () => {
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

  test('the trajectory node refers to itself', () => {
    expect(JSON.stringify(at('components', 'schemas', 'SessionTrajectoryNode'))).toContain(
      '"$ref":"#/components/schemas/SessionTrajectoryNode"',
    );
  });
});
