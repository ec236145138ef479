import { VALIDATION_TYPES } from '@trawl/contract';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VALIDATION_EXAMPLES } from '../../scripts/docs-tables/validation-examples.ts';

describe('the page on errors shows the answers of the server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test.each(VALIDATION_TYPES)('7.2: %s', async (type) => {
    const { method, path, body, loc } = VALIDATION_EXAMPLES[type];
    const answer = await server.call(method, path, body === undefined ? {} : { rawBody: body });
    expect(answer.status).toBe(422);
    expect(answer.json.detail).toContainEqual(expect.objectContaining({ type, loc }));
  });
});
