import { systemClock } from '@trawl/base';
import { ensureProject, issueKey, rotateKey } from '@trawl/server';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditedKeys } from '../src/keys/audited-keys.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

it('changes of keys and projects on the command line are in the audit log, without a secret', async () => {
  const { store } = server.server;
  const keys = auditedKeys(store);
  const { id: projectId } = await ensureProject(keys, systemClock, 'shop');
  await ensureProject(keys, systemClock, 'shop');
  const { key, record } = await issueKey(keys, systemClock, {
    projectId,
    name: 'backend',
    permissions: ['search'],
    expiresAt: null,
  });
  await keys.changeKey(record.id, { noTraining: true });
  const made = await rotateKey(keys, systemClock, { old: record, graceMs: 0, createdBy: null });
  await keys.revokeKey(made?.record.id ?? '', new Date().toISOString());
  expect(await keys.revokeKey('unknown', new Date().toISOString())).toBe(false);
  await keys.limitProject('shop', { rateLimit: 60 });
  const { entries } = await store.accounts.audit.page({ projectId, limit: 50 });
  expect(entries.map(({ action, target }) => [action, target?.name]).reverse()).toEqual([
    ['project.created', 'shop'],
    ['key.created', 'backend'],
    ['key.changed', 'backend'],
    ['key.rotated', 'backend'],
    ['key.revoked', 'backend'],
    ['project.limits_changed', 'shop'],
  ]);
  expect(entries.every(({ actor }) => actor.kind === 'command_line')).toBe(true);
  expect(entries.find(({ action }) => action === 'key.changed')?.detail).toEqual({
    no_training: true,
  });
  expect(JSON.stringify(entries)).not.toContain(key);
});
