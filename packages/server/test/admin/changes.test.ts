import type { AdminKeyChange, NewKeySettings } from '@trawl/contract';
import { createDeployment } from '@trawl/router';
import type { Store } from '@trawl/store';
import { databases, type TestStore } from '@trawl/test-support/databases';
import { apiKey, newProject } from '@trawl/test-support/records';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AuditEvent, auditEntry } from '../../src/admin/audit-entry.ts';
import type { Changer } from '../../src/admin/changes.ts';
import { createKeyChanges } from '../../src/admin/key-changes.ts';
import { createProjectChanges } from '../../src/admin/project-changes.ts';

const NOW = Date.parse('2026-01-10T00:00:00.000Z');
const HOUR_MS = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();

const deployment = createDeployment({
  defaultSearchProviders: undefined,
  searchFallback: undefined,
  fetchChain: undefined,
  prices: { version: '1', providers: {} },
  providers: {},
});

let opened: TestStore;
let store: Store;
let projectId: string;
const audited: AuditEvent[] = [];
const by = (given: Partial<Changer> = {}): Changer => ({
  personId: 'ada',
  adminKeys: 'none',
  entry: (event) => {
    audited.push(event);
    return auditEntry(
      event,
      { actor: { kind: 'person', id: 'ada', name: 'Ada', email: null } },
      clock,
    );
  },
  ...given,
});
let ids = 0;
const clock = {
  now: () => NOW,
  newId: () => {
    ids += 1;
    return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
  },
};
beforeAll(async () => {
  const [database] = databases;
  if (database === undefined) throw new Error('no database');
  opened = await database.open();
  store = opened.store;
  projectId = await newProject(store);
});
afterAll(() => opened.cleanup());
beforeEach(() => {
  audited.length = 0;
});
const actions = () =>
  audited
    .splice(0)
    .map(({ action, refused }) => (refused === undefined ? action : `${action}: ${refused}`));

describe('a change of a key', () => {
  const changes = () => createKeyChanges({ store, deployment, clock });
  async function made(given: Parameters<typeof apiKey>[1] = {}) {
    const key = apiKey(projectId, given);
    await store.keys.createKey(key, key.id);
    return {
      key,
      place: { projectId, keyId: key.id },
      read: async () => (await store.keys.listKeys(projectId)).find(({ id }) => id === key.id),
    };
  }
  const SENT = {
    ...{ name: 'a', permissions: ['search', 'read', 'search'] as const, expires_at: null },
    ...{ rate_limit: 5, monthly_budget_usd: 0.000007, allowed_providers: ['exa', 'exa'] },
    ...{ no_training: true, allowed_domains: ['a.example'], profile: null },
  };

  it('that makes it keeps each setting, and is logged as it was sent', async () => {
    const { record } = await changes().create(
      projectId,
      { ...SENT, expires_at: '2026-02-01T01:00:00+01:00' },
      by(),
    );
    expect(record).toMatchObject({
      ...{ projectId, name: 'a', permissions: ['search', 'read'], rateLimit: 5 },
      ...{ monthlyBudgetMicros: 7, allowedProviders: ['exa'], noTraining: true, createdBy: 'ada' },
      ...{
        allowedDomains: ['a.example'],
        expiresAt: '2026-02-01T00:00:00.000Z',
        createdAt: iso(NOW),
      },
      ...{ rotatedFrom: null, replaySession: null, revokedAt: null, disabledAt: null },
    });
    expect(audited).toMatchObject([
      {
        ...{ action: 'key.created', projectId, target: { kind: 'key', id: record.id, name: 'a' } },
        detail: { rate_limit: 5, permissions: ['search', 'read', 'search'] },
      },
    ]);
  });

  it('changes what is sent, and logs each thing that changed once', async () => {
    const { place, read, key } = await made({ rateLimit: 9 });
    const change = (sent: Parameters<ReturnType<typeof changes>['change']>[1]) =>
      changes().change(place, sent, by());
    await change({ name: 'b', monthly_budget_usd: 0.000004 });
    expect(await read()).toEqual({ ...key, name: 'b', monthlyBudgetMicros: 4 });
    await change({ disabled: true });
    await change({ disabled: true });
    expect((await read())?.disabledAt).toBe(iso(NOW));
    await change({ disabled: false, rate_limit: null });
    await change({ disabled: false });
    await change({});
    expect(await read()).toMatchObject({ disabledAt: null, rateLimit: null });
    expect(actions()).toEqual(['key.changed', 'key.disabled', 'key.changed', 'key.enabled']);
  });

  it('is refused for a time in the past, an unknown provider, or what a replay key may not', async () => {
    const { place, key, read } = await made({
      replaySession: '01a21ddb-2f1d-779c-94fb-2f086c1956e6',
    });
    const refused: readonly (readonly [AdminKeyChange, string])[] = [
      [{ expires_at: iso(NOW) }, 'expires_at'],
      [{ allowed_providers: ['exa', 'nimbus'] }, 'allowed_providers'],
      [{ permissions: ['read', 'manage'] }, 'permissions'],
      [{ profile: { search: { providers: { include: ['nimbus'] } } } }, 'profile'],
    ];
    for (const [sent, field] of refused) {
      await expect(changes().change(place, sent, by())).rejects.toMatchObject({
        status: 422,
        detail: [{ loc: ['body', field] }],
      });
    }
    expect(await read()).toEqual(key);
    expect(actions()).toEqual([]);
    await changes().change(place, { permissions: ['read'], expires_at: iso(NOW + 1) }, by());
  });

  it('is refused for defaults that do not fit to the key or the deployment', async () => {
    const include = (...slugs: string[]) => ({ search: { providers: { include: slugs } } });
    const narrow = { allowed_providers: ['tavily'], no_training: false };
    const refused: readonly (readonly [Partial<NewKeySettings>, RegExp])[] = [
      [{ profile: include('nimbus') }, /search\.providers\.include: unknown provider/],
      [{ ...narrow, profile: include('exa') }, /may not use exa; it may use: tavily/],
      [{ ...narrow, profile: { search: { fallback: ['exa'] } } }, /may not use exa/],
      [{ ...narrow, profile: { fetch: { providers: ['jina'] } } }, /may not use jina/],
    ];
    for (const [given, msg] of refused) {
      await expect(changes().create(projectId, { ...SENT, ...given }, by())).rejects.toMatchObject({
        status: 422,
        detail: [{ loc: ['body', 'profile'], msg: expect.stringMatching(msg) }],
      });
    }
    const { place } = await made({ profile: include('exa') });
    await expect(changes().change(place, narrow, by())).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'profile'] }],
    });
  });

  it('of a key of the operator API is refused; who may end such keys disables and deletes them', async () => {
    const { place } = await made({ permissions: ['admin'] });
    const operator = by({ adminKeys: 'end' });
    await expect(changes().change(place, { disabled: true }, by())).rejects.toMatchObject({
      status: 403,
    });
    await expect(changes().change(place, { disabled: false }, operator)).rejects.toMatchObject({
      status: 403,
    });
    await expect(
      changes().change(place, { disabled: true, name: 'x' }, operator),
    ).rejects.toMatchObject({ status: 403 });
    await expect(changes().rotate(place, 'now', operator)).rejects.toMatchObject({ status: 403 });
    await expect(changes().remove(place, by())).rejects.toMatchObject({ status: 403 });
    expect(actions().map((text) => text.split(':')[0])).toEqual([
      'key.disabled',
      'key.changed',
      'key.changed',
      'key.rotated',
      'key.deleted',
    ]);
    await changes().change(place, { disabled: true }, operator);
    await changes().remove(place, operator);
    expect(actions()).toEqual(['key.disabled', 'key.deleted']);
  });

  it.each<['now' | '15m' | '24h', string | null, string]>([
    ['now', null, iso(NOW)],
    ['15m', null, iso(NOW + HOUR_MS / 4)],
    ['24h', iso(NOW + HOUR_MS), iso(NOW + HOUR_MS)],
    ['24h', iso(NOW + 48 * HOUR_MS), iso(NOW + 24 * HOUR_MS)],
  ])(
    'that rotates it with %s, of one that ends at %s, ends it at %s',
    async (grace, expiresAt, ends) => {
      const { place, key, read } = await made({ expiresAt });
      const { record, endsAt } = await changes().rotate(place, grace, by());
      expect([endsAt, (await read())?.expiresAt]).toEqual([ends, ends]);
      expect(record).toMatchObject({
        rotatedFrom: key.id,
        expiresAt,
        createdBy: 'ada',
        createdAt: iso(NOW),
      });
      expect(audited[0]).toMatchObject({ detail: { grace, replaced_by: record.id } });
      const again = changes().rotate(place, grace, by());
      await expect(again).rejects.toMatchObject({ status: 400 });
    },
  );

  it.each([
    ['revoked', { revokedAt: iso(NOW - 1) }, /is revoked/],
    ['disabled', { disabledAt: iso(NOW - 1) }, /is disabled/],
    ['expired', { expiresAt: iso(NOW) }, /has expired/],
  ])('a key that is %s is not rotated', async (_, given, reason) => {
    const { place } = await made(given);
    await expect(changes().rotate(place, '1h', by())).rejects.toMatchObject({
      status: 400,
      detail: expect.stringMatching(reason),
    });
    expect(actions()).toEqual([expect.stringMatching(reason)]);
  });

  it('that does not exist in the project is refused and logged', async () => {
    const { key } = await made();
    const elsewhere = { projectId: await newProject(store), keyId: key.id };
    await expect(changes().remove(elsewhere, by())).rejects.toMatchObject({ status: 404 });
    await expect(changes().change(elsewhere, { name: 'x' }, by())).rejects.toMatchObject({
      status: 404,
    });
    expect(actions()).toEqual(['key.deleted: Key not found', 'key.changed: Key not found']);
  });
});

describe('a change of a project', () => {
  const changes = () => createProjectChanges({ store, clock });

  it('makes it, limits it, and logs each thing that changed once', async () => {
    const project = await changes().create({ name: 'bots' }, by());
    const read = () => changes().find(project.id);
    await changes().change(
      project,
      { name: 'robots', rate_limit: 60, monthly_budget_usd: 2.5, retention_days: 30 },
      by(),
    );
    expect(await read()).toEqual({
      ...{ id: project.id, name: 'robots', createdAt: iso(NOW), retentionDays: 30 },
      limits: { rateLimit: 60, monthlyBudgetMicros: 2_500_000 },
    });
    await changes().change(await read(), { name: 'robots', rate_limit: null }, by());
    expect(await read()).toMatchObject({
      limits: { rateLimit: null, monthlyBudgetMicros: 2_500_000 },
    });
    await changes().change(await read(), { monthly_budget_usd: null, retention_days: 0 }, by());
    expect(await read()).not.toHaveProperty('limits');
    await changes().change(await read(), { retention_days: null }, by());
    expect(await read()).toEqual({ id: project.id, name: 'robots', createdAt: iso(NOW) });
    expect(audited.map(({ action, detail }) => [action, detail])).toEqual([
      ['project.created', undefined],
      ['project.renamed', { from: 'bots', to: 'robots' }],
      ['project.limits_changed', { rate_limit: 60, monthly_budget_usd: 2.5 }],
      ['project.retention_changed', { retention: 30 }],
      ['project.limits_changed', { rate_limit: null }],
      ['project.limits_changed', { monthly_budget_usd: null }],
      ['project.retention_changed', { retention: 'keep' }],
      ['project.retention_changed', { retention: 'default' }],
    ]);
  });

  it('to a name that is taken is refused, and so is a removal while it has keys', async () => {
    const [one, two] = [
      await changes().create({ name: 'one' }, by()),
      await changes().create({ name: 'two' }, by()),
    ];
    const refused = { status: 400, hint: `its id is ${one.id}` };
    await expect(changes().create({ name: 'one' }, by())).rejects.toMatchObject(refused);
    await expect(changes().change(two, { name: 'one', rate_limit: 1 }, by())).rejects.toMatchObject(
      refused,
    );
    expect(await changes().find(two.id)).not.toHaveProperty('limits');
    const key = apiKey(two.id);
    await store.keys.createKey(key, key.id);
    await expect(changes().remove(two, by())).rejects.toMatchObject({ status: 400 });
    await store.keys.deleteKey(key.id, iso(NOW));
    await changes().remove(two, by());
    await expect(changes().remove(two, by())).rejects.toMatchObject({ status: 404 });
    expect(actions().map((text) => text.slice(0, 31))).toEqual([
      'project.created',
      'project.created',
      'project.created: There is a pro',
      'project.renamed: There is a pro',
      'project.deleted: This project h',
      'project.deleted',
      'project.deleted: Project not fo',
    ]);
  });
});
