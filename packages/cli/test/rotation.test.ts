import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { systemClock } from '@trawl/base';
import { type ApiKey, microsOf } from '@trawl/router';
import { issueKey } from '@trawl/server';
import { type ConsoleServer, startConsoleServer } from '@trawl/test-support/console-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';

const SEARCH = {
  user_input: { query: 'tidal power' },
  search: { providers: { include: ['exa', 'brave'] } },
};
const EXPIRES_AT = '2999-01-01T00:00:00.000Z';

let server: ConsoleServer;
beforeAll(async () => {
  server = await startConsoleServer();
});
afterAll(() => server.stop());

const make = async (wanted: Partial<Parameters<typeof issueKey>[2]> = {}) =>
  issueKey(server.server.store.keys, systemClock, {
    projectId: server.projectId,
    name: 'to rotate',
    permissions: ['search', 'fetch', 'read'],
    expiresAt: null,
    ...wanted,
  });

async function onCommandLine(id: string): Promise<string> {
  const args = ['keys', 'rotate', id, '--grace', '1h', '--json'];
  const settings = server.environment;
  const { stdout } = await runCommand({ args, settings, folder: tmpdir() });
  return JSON.parse(stdout).key;
}

/** Each way to rotate a key; returns the new secret. */
const WAYS: readonly (readonly [string, (id: string) => Promise<string>])[] = [
  [
    'the operator API',
    async (id) => {
      const { key } = await server.makeKey('operators', ['admin']);
      const body = { grace: '1h' };
      return (await server.call('POST', `/v1/admin/keys/${id}/rotate`, { key, body })).json.secret;
    },
  ],
  [
    'the console',
    async (id) => {
      const admin = await server.person('admin');
      const path = server.path(`/keys/${id}/rotate`);
      return (await admin.call('POST', path, { body: { grace: '1h' } })).json.secret;
    },
  ],
  ['the command line', onCommandLine],
];

it.each(WAYS)('a key rotated by %s has each setting of the old one', async (_, rotate) => {
  const { record: old } = await make({
    expiresAt: EXPIRES_AT,
    rateLimit: 7,
    monthlyBudgetMicros: microsOf(2.5),
    allowedProviders: ['exa', 'brave'],
    noTraining: true,
    allowedDomains: ['example.com'],
    profile: { search: { tier: 'minimalist' } },
    replaySession: randomUUID(),
    createdBy: 'a person',
  });
  const secret = await rotate(old.id);
  const keys = await server.server.store.keys.listKeys(server.projectId);
  const made = keys.find(({ rotatedFrom }) => rotatedFrom === old.id);
  const { id, lastFour, createdAt, createdBy, ...settings } = made as ApiKey;
  const { id: _id, lastFour: _four, createdAt: _at, createdBy: _by, ...expected } = old;
  expect(settings).toStrictEqual({ ...expected, rotatedFrom: old.id });
  expect(lastFour).toBe(secret.slice(-4));
  expect([id === old.id, createdAt >= old.createdAt, createdBy === 'a person']).toEqual([
    false,
    true,
    false,
  ]);
});

it.each(WAYS)('a replay key rotated by %s answers from its session only', async (_, rotate) => {
  const first = await server.search(SEARCH);
  const { record } = await make({ replaySession: first.json.session_id });
  const secret = await rotate(record.id);
  server.sandbox.clearCalls();
  await expect.poll(async () => (await server.search(SEARCH, { key: secret })).status).toBe(200);
  const again = await server.search(SEARCH, { key: secret });
  expect(again.json.interaction_id).toBe(first.json.interaction_id);
  const other = await server.search({ user_input: { query: 'rope walks' } }, { key: secret });
  expect([other.status, server.sandbox.calls]).toEqual([409, []]);
});
