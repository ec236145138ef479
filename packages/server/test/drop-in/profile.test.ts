import { systemClock } from '@trawl/base';
import type { KeyProfile } from '@trawl/contract';
import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueKey } from '../../src/admin/key-admin.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('the profile of a key decides which providers a drop-in route asks', async () => {
  const { key } = await issueKey(server.server.store.keys, systemClock, {
    projectId: server.projectId,
    name: 'with defaults',
    permissions: ['search'],
    expiresAt: null,
    profile: { search: { providers: { include: ['brave'] }, filters: { country: 'DE' } } },
  });
  const path = '/compat/searxng/search?q=tidal+power&format=json';
  const { status, headers } = await server.call('GET', path, { key });
  expect(status).toBe(200);
  const { preprocessor_runs: runs } = await recorded(server, headers.get('x-interaction-id') ?? '');
  expect(runs.map((run: { preprocessor_name: string }) => run.preprocessor_name)).toEqual([
    'brave',
  ]);
  expect(runs[0].output_payload.filters).toEqual({ country: 'native' });
});

test('when the vendor fails, others are asked, but none outside the list of a profile', async () => {
  const ask = async (profile: KeyProfile | null) => {
    const { key } = await issueKey(server.server.store.keys, systemClock, {
      projectId: server.projectId,
      name: 'with or without',
      permissions: ['search'],
      expiresAt: null,
      profile,
    });
    const query = '[[exa:status=500]] tidal power';
    const headers = { 'x-api-key': key };
    return server.call('POST', '/compat/exa/search', { body: { query }, key: null, headers });
  };
  const { status, json } = await ask(null);
  expect(status).toBe(200);
  expect((await recorded(server, json.requestId)).preprocessor_runs).toHaveLength(2);
  expect((await ask({ search: { providers: { include: ['exa'] } } })).status).toBe(502);
});
