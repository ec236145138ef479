import { BaseResolver, createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { openApiDocument } from '../src/index.ts';

const RULES = {
  // A route without a key and input refuses no request; `openapi.test.ts` looks at all others.
  'operation-4xx-response': 'off',
  // In addition to the set: what readers and generators of clients need.
  'array-parameter-serialization': 'error',
  'component-name-unique': 'error',
  'no-http-verbs-in-paths': 'error',
  'no-invalid-media-type-examples': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'operation-description': 'error',
  'operation-singular-tag': 'error',
  'operation-tag-defined': 'error',
  'parameter-description': 'error',
  'path-params-defined': 'error',
  'paths-kebab-case': 'error',
  'spec-example-values': 'error',
  'tag-description': 'error',
  'response-contains-header': { severity: 'error', names: { '2xx': ['X-Request-Id'] } },
} as const;

/** The findings of a public linter. It fails rather than load anything. */
async function problemsOf(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'], rules: RULES });
  const customFetch = () => Promise.reject(new Error('the linter tried to load something'));
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config,
    externalRefResolver: new BaseResolver({ http: { headers: [], customFetch } }),
  });
  return problems.map(
    ({ ruleId, message, location: [at] }) => `${ruleId} ${at?.pointer}: ${message}`,
  );
}

test('a public linter finds no fault in the document or its examples', async () => {
  expect(await problemsOf(await openApiDocument('1.2.3'))).toEqual([]);
});

test('the linter checks every example against its schema', async () => {
  const document = await openApiDocument('1.2.3');
  const broken = JSON.parse(
    JSON.stringify(document)
      .replace('"preprocessor_name":"web_fetch"', '"preprocessor_name":7')
      .replace('"user_input":{"query":"tidal power"}}', '"user_input":{"query":""}}')
      .replace('"example":"full"', '"example":"whole"'),
  );
  const rules = (await problemsOf(broken)).map((problem) => problem.split(' ')[0]);
  expect(new Set(rules)).toEqual(
    new Set(['no-invalid-media-type-examples', 'no-invalid-parameter-examples']),
  );
  expect(rules.length).toBeGreaterThanOrEqual(3);
});
