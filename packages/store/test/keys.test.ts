import { randomUUID } from 'node:crypto';
import type { ApiKey, KeySettings } from '@trawl/router';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { apiKey, at, newProject } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Store } from '../src/opening/store.ts';

describeOnDatabases('keys and projects', (database) => {
  let opened: TestStore;
  let store: Store;
  let projectId: string;

  beforeAll(async () => {
    opened = await database.open();
    store = opened.store;
    projectId = await newProject(store);
  });
  afterAll(() => opened.cleanup());

  it('finds a key by its digest with every value that it was made with', async () => {
    const plain = apiKey(projectId, { permissions: [] });
    const full = apiKey(projectId, {
      permissions: ['manage', 'search', 'fetch', 'read'],
      expiresAt: at(100),
      revokedAt: at(50),
      disabledAt: at(40),
      createdBy: 'a person',
      allowedProviders: ['exa', 'brave'],
      noTraining: true,
      allowedDomains: ['example.com', 'example.org'],
      profile: { search: { tier: 'minimalist' }, fetch: { providers: ['jina'] } },
      replaySession: randomUUID(),
      rotatedFrom: plain.id,
      rateLimit: 60,
      monthlyBudgetMicros: 9_000_000_000_000,
    });
    for (const key of [plain, full]) {
      await store.keys.createKey(key, `digest of ${key.id}`);
      expect(await store.keys.findKey(`digest of ${key.id}`)).toStrictEqual(key);
    }
    expect(await store.keys.findKey('no such digest')).toBeUndefined();
  });

  it('changes each setting by itself, and keeps the others', async () => {
    const key = apiKey(projectId, { replaySession: randomUUID(), createdBy: 'a person' });
    await store.keys.createKey(key, key.id);
    const settings: Partial<KeySettings> = {
      name: 'renamed',
      permissions: ['read', 'manage'],
      expiresAt: at(900),
      rateLimit: 7,
      monthlyBudgetMicros: 12_345,
      allowedProviders: ['brave'],
      noTraining: true,
      allowedDomains: ['example.com'],
      profile: { search: { tier: 'extended' } },
    };
    let expected: ApiKey = key;
    for (const [name, value] of Object.entries(settings)) {
      expected = { ...expected, [name]: value };
      expect(await store.keys.changeKey(key.id, { [name]: value })).toBe(true);
      expect(await store.keys.findKey(key.id)).toStrictEqual(expected);
    }
    const cleared = {
      ...{ expiresAt: null, rateLimit: null, monthlyBudgetMicros: null, allowedProviders: null },
      ...{ noTraining: false, allowedDomains: null, profile: null },
    };
    await store.keys.changeKey(key.id, cleared);
    expect(await store.keys.findKey(key.id)).toStrictEqual({ ...expected, ...cleared });
  });

  it('does not create a second key for a digest, or a key for an unknown project', async () => {
    const digest = randomUUID();
    const revision = await store.keys.revision();
    await expect(store.keys.createKey(apiKey('no such project'), digest)).rejects.toThrow();
    expect(await store.keys.revision()).toBe(revision);
    await store.keys.createKey(apiKey(projectId), digest);
    await expect(store.keys.createKey(apiKey(projectId), digest)).rejects.toThrow();
    expect(await store.keys.revision()).toBe(revision + 1);
  });

  it('keeps the time of the first revocation', async () => {
    const key = apiKey(projectId);
    await store.keys.createKey(key, key.id);
    expect(await store.keys.revokeKey(key.id, at(10))).toBe(true);
    const revision = await store.keys.revision();
    expect(await store.keys.revokeKey(key.id, at(20))).toBe(true);
    expect(await store.keys.revision()).toBe(revision);
    expect(await store.keys.findKey(key.id)).toMatchObject({ revokedAt: at(10) });
    expect(await store.keys.revokeKey('no such key', at(10))).toBe(false);
  });

  it('deletes a project when it is empty; its name is free, and its keys open nothing', async () => {
    const name = `to delete ${randomUUID()}`;
    const wanted = { id: randomUUID(), name, createdAt: at(0) };
    const { id } = await store.keys.ensureProject(wanted);
    const key = apiKey(id);
    await store.keys.createKey(key, key.id);
    const revision = await store.keys.revision();
    expect(await store.projects.remove(id, at(10))).toBe('has_keys');
    expect(await store.keys.revision()).toBe(revision);
    await store.keys.deleteKey(key.id, at(5));
    expect(await store.projects.remove(id, at(10))).toBe('removed');
    expect(await store.projects.remove(id, at(11))).toBe('unknown');
    expect(await store.keys.findProject(id)).toBeUndefined();
    expect((await store.keys.listProjects()).map((project) => project.id)).not.toContain(id);
    expect(await store.keys.limitProject(name, { rateLimit: 5 })).toBe(false);
    expect(await store.projects.rename(id, 'another')).toBe(false);
    // made by another server at the moment of the removal
    const late = apiKey(id);
    await store.keys.createKey(late, late.id);
    expect(await store.keys.findKey(late.id)).toBeUndefined();

    const again = await store.keys.ensureProject({ ...wanted, id: randomUUID() });
    expect(again.id).not.toBe(id);
    // as at a start with BOOTSTRAP_API_KEY
    await store.keys.ensureKey({ ...key, projectId: again.id }, key.id);
    expect(await store.keys.findKey(key.id)).toMatchObject({ id: key.id, projectId: again.id });
  });

  it('makes a bootstrap key usable again without changing its other values', async () => {
    const digest = randomUUID();
    const key = apiKey(projectId, {
      permissions: ['search'],
      expiresAt: at(100),
      rateLimit: 5,
      name: 'bootstrap',
    });
    await store.keys.ensureKey(key, digest);
    expect(await store.keys.findKey(digest)).toStrictEqual(key);
    await store.keys.revokeKey(key.id, at(10));

    const revision = await store.keys.revision();
    const wanted = apiKey(projectId, { permissions: ['search', 'manage'], name: 'other' });
    await store.keys.ensureKey(wanted, digest);
    const ensured = { ...key, permissions: wanted.permissions, expiresAt: null, revokedAt: null };
    expect(await store.keys.findKey(digest)).toStrictEqual(ensured);
    expect(await store.keys.revision()).toBe(revision + 1);

    await store.keys.ensureKey(wanted, digest);
    expect(await store.keys.revision()).toBe(revision + 1);
  });

  it('makes a bootstrap key usable again that was disabled and deleted', async () => {
    const digest = randomUUID();
    const key = apiKey(projectId);
    await store.keys.createKey(key, digest);
    await store.keys.disableKey(key.id, at(10));
    await store.keys.deleteKey(key.id, at(20));
    expect(await store.keys.findKey(digest)).toBeUndefined();
    await store.keys.ensureKey(apiKey(projectId), digest);
    expect(await store.keys.findKey(digest)).toStrictEqual(key);
  });

  it('keeps the time at which a key was disabled, and enables it again', async () => {
    const key = apiKey(projectId);
    await store.keys.createKey(key, key.id);
    const revision = await store.keys.revision();
    expect(await store.keys.disableKey(key.id, at(10))).toBe(true);
    expect(await store.keys.disableKey(key.id, at(20))).toBe(true);
    expect(await store.keys.findKey(key.id)).toMatchObject({ disabledAt: at(10) });
    expect(await store.keys.disableKey(key.id, null)).toBe(true);
    expect(await store.keys.findKey(key.id)).toStrictEqual(key);
    expect(await store.keys.revision()).toBeGreaterThan(revision);
    expect(await store.keys.disableKey('no such key', at(10))).toBe(false);
  });

  it('neither finds, lists nor changes a deleted key', async () => {
    const mine = await newProject(store);
    const key = apiKey(mine);
    await store.keys.createKey(key, key.id);
    const revision = await store.keys.revision();
    expect(await store.keys.deleteKey(key.id, at(10))).toBe(true);
    expect(await store.keys.revision()).toBeGreaterThan(revision);
    expect(await store.keys.findKey(key.id)).toBeUndefined();
    expect(await store.keys.listKeys(mine)).toEqual([]);
    expect(await store.keys.deleteKey(key.id, at(20))).toBe(false);
    expect(await store.keys.disableKey(key.id, null)).toBe(false);
    expect(await store.keys.revokeKey(key.id, at(20))).toBe(false);
    expect(await store.keys.changeKey(key.id, { rateLimit: 5 })).toBe(false);
  });

  it('makes one hidden key for a project, which no digest finds and no list shows', async () => {
    const other = await opened.another();
    const mine = await newProject(store);
    await store.keys.limitProject(`project ${mine}`, { rateLimit: 7 });
    expect(await store.keys.hiddenKey(mine)).toBeUndefined();
    const wanted = Array.from({ length: 8 }, () => apiKey(mine, { isHidden: true }));
    await Promise.all(
      wanted.map((key, index) => (index % 2 ? other : store).keys.ensureHiddenKey(key, key.id)),
    );
    const made = await store.keys.hiddenKey(mine);
    const projectLimits = { rateLimit: 7, monthlyBudgetMicros: null };
    expect(wanted.map((key) => ({ ...key, projectLimits }))).toContainEqual(made);
    expect(await other.keys.hiddenKey(mine)).toStrictEqual(made);
    const found = await Promise.all(wanted.map(({ id }) => store.keys.findKey(id)));
    expect(found.filter(Boolean)).toEqual([]);
    expect(await store.keys.listKeys(mine)).toEqual([]);
    expect((await store.keys.listKeys(undefined)).map(({ id }) => id)).not.toContain(made?.id);
  });

  it('changes what is named, and keeps the rest', async () => {
    const key = apiKey(projectId, { rateLimit: 5, allowedProviders: ['one', 'two'] });
    await store.keys.createKey(key, key.id);
    const revision = await store.keys.revision();
    const changes = { name: 'renamed', permissions: ['read'], expiresAt: at(900) } as const;
    expect(await store.keys.changeKey(key.id, changes)).toBe(true);
    expect(await store.keys.revision()).toBe(revision + 1);
    expect(await store.keys.findKey(key.id)).toStrictEqual({ ...key, ...changes });
    await store.keys.changeKey(key.id, { rateLimit: null, allowedProviders: null });
    expect(await store.keys.findKey(key.id)).toStrictEqual({
      ...key,
      ...changes,
      rateLimit: null,
      allowedProviders: null,
    });
    expect(await store.keys.changeKey(key.id, {})).toBe(true);
    expect(await store.keys.changeKey('no such key', { name: 'other' })).toBe(false);
  });

  it.each([
    ['the end of the grace period', null, 500],
    ['its own expiry, if that is earlier', 300, 300],
    ['the end of the grace period, if its own expiry is later', 900, 500],
  ])('replaces a key, which ends at %s', async (_, own, ends) => {
    const old = apiKey(projectId, { expiresAt: own === null ? null : at(own) });
    await store.keys.createKey(old, old.id);
    const revision = await store.keys.revision();
    const successor = apiKey(projectId, { rotatedFrom: old.id });
    const replacement = { keyId: old.id, endsAt: at(500), successor, digest: successor.id };
    expect(await store.keys.replaceKey(replacement)).toBe(true);
    expect(await store.keys.revision()).toBe(revision + 1);
    expect(await store.keys.findKey(old.id)).toStrictEqual({ ...old, expiresAt: at(ends) });
    expect(await store.keys.findKey(successor.id)).toStrictEqual(successor);
  });

  it('replaces a key once, also when two processes try at the same time', async () => {
    const other = await opened.another();
    const old = apiKey(projectId);
    await store.keys.createKey(old, old.id);
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, index) => {
        const successor = apiKey(projectId, { rotatedFrom: old.id });
        const by = index % 2 ? other : store;
        const replacement = { keyId: old.id, endsAt: at(500), successor, digest: successor.id };
        return by.keys.replaceKey(replacement);
      }),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    const successors = (await store.keys.listKeys(projectId)).filter(
      ({ rotatedFrom }) => rotatedFrom === old.id,
    );
    expect(successors).toHaveLength(1);
    await store.keys.deleteKey(successors[0]?.id ?? '', at(10));
    const successor = apiKey(projectId, { rotatedFrom: old.id });
    const again = { keyId: old.id, endsAt: at(600), successor, digest: successor.id };
    expect(await store.keys.replaceKey(again)).toBe(true);
    // the end may only come nearer
    expect(await store.keys.findKey(old.id)).toMatchObject({ expiresAt: at(500) });
  });

  it('shows a key that another process revoked by a new revision', async () => {
    const commandLine = await opened.another();
    const key = apiKey(projectId);
    await store.keys.createKey(key, key.id);
    const revision = await store.keys.revision();
    expect(await store.keys.revision()).toBe(revision);

    await commandLine.keys.revokeKey(key.id, at(10));
    expect(await store.keys.revision()).toBeGreaterThan(revision);
    expect(await store.keys.findKey(key.id)).toMatchObject({ revokedAt: at(10) });
  });

  it('lists keys of one project or of all, oldest first', async () => {
    const mine = await newProject(store);
    const younger = apiKey(mine, { createdAt: at(20) });
    const older = apiKey(mine, { createdAt: at(10) });
    await store.keys.createKey(younger, younger.id);
    await store.keys.createKey(older, older.id);
    expect(await store.keys.listKeys(mine)).toStrictEqual([older, younger]);
    const all = await store.keys.listKeys(undefined);
    expect(all.length).toBeGreaterThan(2);
    expect(all).toContainEqual(older);
  });

  it('creates one project per name, also for concurrent calls', async () => {
    const another = await opened.another();
    const name = `shared ${randomUUID()}`;
    const asked = Array.from({ length: 12 }, (_, index) =>
      (index % 2 === 0 ? store : another).keys.ensureProject({
        id: randomUUID(),
        name,
        createdAt: at(index),
      }),
    );
    const [first, ...others] = await Promise.all(asked);
    for (const other of others) expect(other).toStrictEqual(first);
    const listed = await store.keys.listProjects();
    for (const project of listed) {
      expect(await store.keys.findProject(project.id)).toEqual(project);
    }
    expect(await store.keys.findProject('of-no-project')).toBeUndefined();
    expect(listed.filter((project) => project.name === name)).toStrictEqual([first]);

    const revision = await store.keys.revision();
    await store.keys.ensureProject({ id: randomUUID(), name, createdAt: at(99) });
    expect(await store.keys.revision()).toBe(revision);
  });

  it('increments the revision once for every change, also for concurrent ones', async () => {
    const another = await opened.another();
    const revision = await store.keys.revision();
    const keys = Array.from({ length: 10 }, () => apiKey(projectId));
    await Promise.all(
      keys.map((key, index) => (index % 2 === 0 ? store : another).keys.createKey(key, key.id)),
    );
    expect(await store.keys.revision()).toBe(revision + 10);
  });

  it('keeps the first value of a setting, also for concurrent calls', async () => {
    const another = await opened.another();
    const values = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? store : another).setting('instance_id', `value ${index}`),
      ),
    );
    expect(new Set(values).size).toBe(1);
    expect(await store.setting('instance_id', 'late')).toBe(values[0]);
  });
});
