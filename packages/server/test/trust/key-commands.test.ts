import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeMainlyOn, onlyOn } from '@trawl/test-support/databases';
import {
  newSite,
  type RunningServer,
  request,
  runProgram,
  type Site,
  startServe,
} from '@trawl/test-support/program';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const KEY = /^tk_[0-9A-Za-z]{43}$/;
/** By the decisions a revoked key stops within one second. */
const REVOKED_WITHIN_MS = 1_000;

describeMainlyOn('SQLite', 'the key commands, next to a running server', (database) => {
  /** What a command reads and prints: the same on each database, as the tests of the store show. */
  const itPrints = onlyOn(database, 'SQLite');
  let site: Site;
  let server: RunningServer;
  beforeAll(async () => {
    site = await newSite(database);
    server = await start();
  });
  afterAll(async () => {
    await site.clear(server);
  });

  const start = () => startServe({ settings: site.settings, folder: site.folder });
  const trawl = (...args: string[]) =>
    runProgram({ args, settings: site.settings, folder: site.folder });

  /** Runs a command that must succeed and prints exactly one line of JSON. */
  async function json(...args: string[]) {
    const { code, stdout, stderr } = await trawl(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^[^\n]+\n$/);
    return JSON.parse(stdout);
  }

  const createKey = (project: string, permissions: string, ...more: string[]) =>
    json(
      'keys',
      'create',
      '--project',
      project,
      '--name',
      'a label',
      '--permissions',
      permissions,
      ...more,
    );
  const post = (key: string) => request(`${server.url}/v1/interactions`, key, 'POST', {});
  const sessions = (key: string) => request(`${server.url}/v1/sessions`, key);

  itPrints(
    'projects create prints {id, name}, the same for the same name, and projects list shows it',
    async () => {
      const made = await json('projects', 'create', 'Zürich 🛟');
      expect(made).toMatchObject({ id: expect.stringMatching(UUID), name: 'Zürich 🛟' });
      expect(await json('projects', 'create', 'Zürich 🛟')).toEqual(made);
      const listed = await json('projects', 'list');
      expect(listed.filter(({ id }: { id: string }) => id === made.id)).toMatchObject([made]);
    },
  );

  it('keys create prints {id, key, project, permissions}; the key works at once, only in its project', async () => {
    const made = await createKey('one', 'search,fetch,read');
    expect(made).toMatchObject({
      id: expect.stringMatching(UUID),
      key: expect.stringMatching(KEY),
      project: 'one',
      permissions: ['search', 'fetch', 'read'],
    });
    const posted = await post(made.key);
    expect(posted.status).toBe(200);
    expect(JSON.parse((await sessions(made.key)).text).sessions).toHaveLength(1);

    const [same, other] = await Promise.all([createKey('one', 'read'), createKey('two', 'read')]);
    expect(JSON.parse((await sessions(same.key)).text).sessions).toHaveLength(1);
    expect(JSON.parse((await sessions(other.key)).text).sessions).toEqual([]);
    expect((await post(same.key)).status).toBe(403);
  });

  itPrints('keys create without --json prints only the key on standard output', async () => {
    const { code, stdout, stderr } = await trawl('keys', 'create', '--project', 'one');
    expect(code).toBe(0);
    expect(stdout.trimEnd()).toMatch(KEY);
    expect(stderr).not.toContain(stdout.trim());
    expect((await post(stdout.trim())).status).toBe(200);
  });

  itPrints(
    'keys list shows ids, labels, permissions and last characters, never a key',
    async () => {
      const made = await createKey('listed', 'read,manage');
      const { stdout } = await trawl('keys', 'list', '--project', 'listed', '--json');
      expect(stdout).not.toContain(made.key);
      expect(stdout).not.toContain(made.key.slice(3, 20));
      expect(JSON.parse(stdout)).toMatchObject([
        {
          id: made.id,
          project: 'listed',
          name: 'a label',
          permissions: ['read', 'manage'],
          last_four: made.key.slice(-4),
          revoked_at: null,
        },
      ]);
    },
  );

  itPrints('keys profile shows, sets and clears what a key asks for', async () => {
    const first = JSON.stringify({ search: { providers: { include: ['tavily'] } } });
    const { id, key } = await json('keys', 'create', '--project', 'own', '--profile', first);
    expect(await json('keys', 'profile', id)).toMatchObject({ id, profile: JSON.parse(first) });
    const ranOn = async () => {
      const body = { user_input: { query: 'tides' } };
      const answer = await request(`${server.url}/v1/search`, key, 'POST', body);
      return JSON.parse(answer.text).preprocessor_runs.map(
        (run: { preprocessor_name: string }) => run.preprocessor_name,
      );
    };
    expect(await ranOn()).toEqual(['tavily']);
    const file = join(site.folder, 'profile.json');
    await writeFile(file, JSON.stringify({ search: { providers: { include: ['exa'] } } }));
    expect((await trawl('keys', 'profile', id, '--set', file)).code).toBe(0);
    await vi.waitFor(async () => expect(await ranOn()).toEqual(['exa']));
    expect(await json('keys', 'profile', id, '--clear')).toMatchObject({ id, profile: null });
  });

  itPrints('keys create --providers limits a key to them; keys list shows it', async () => {
    const made = await json('keys', 'create', '--project', 'narrow', '--providers', 'tavily, exa');
    const [listed] = await json('keys', 'list', '--project', 'narrow');
    expect(listed).toMatchObject({ id: made.id, allowed_providers: ['tavily', 'exa'] });
    const refused = await request(`${server.url}/v1/search`, made.key, 'POST', {
      user_input: { query: 'tides' },
      search: { providers: { include: ['brave'] } },
    });
    expect([refused.status, JSON.parse(refused.text).detail]).toEqual([
      403,
      'search.providers.include: this API key may not use brave; it may use: tavily, exa',
    ]);
  });

  itPrints(
    'keys rotate prints a new key with the same settings, and ends the old one',
    async () => {
      const limits = ['--rate-limit', '50', '--permissions', 'search', '--name', 'till'];
      const old = await json('keys', 'create', '--project', 'rotated', ...limits);
      const made = await json('keys', 'rotate', old.id, '--grace', 'now');
      expect(made).toMatchObject({ key: expect.stringMatching(KEY), replaces: old.id });
      expect((await post(made.key)).status).toBe(200);
      await vi.waitFor(async () => expect((await post(old.key)).status).toBe(401), {
        timeout: 20_000,
        interval: 50,
      });
      const listed = await json('keys', 'list', '--project', 'rotated');
      expect(listed.map(({ id }: { id: string }) => id)).toEqual([old.id, made.id]);
      expect(listed[1]).toMatchObject({ name: 'till', permissions: ['search'], rate_limit: 50 });
    },
  );

  itPrints(
    'keys disable and enable switch a key; keys delete ends it and lists it no more',
    async () => {
      const { id, key } = await createKey('switched', 'search');
      const becomes = (status: number) =>
        vi.waitFor(async () => expect((await post(key)).status).toBe(status), {
          timeout: 20_000,
          interval: 50,
        });
      await becomes(200);
      expect(await json('keys', 'disable', id)).toMatchObject({ id, disabled: true });
      await becomes(401);
      expect(await json('keys', 'enable', id)).toMatchObject({ id, disabled: false });
      await becomes(200);
      expect(await json('keys', 'delete', id)).toEqual({ id, deleted: true });
      await becomes(401);
      expect(await json('keys', 'list', '--project', 'switched')).toEqual([]);
      expect((await trawl('keys', 'enable', id)).code).toBe(1);
    },
  );

  it('keys revoke stops the key within a second, and no other', async () => {
    const [one, two] = await Promise.all([
      createKey('gone', 'search'),
      createKey('gone', 'search'),
    ]);
    expect((await post(one.key)).status).toBe(200);
    const { code } = await trawl('keys', 'revoke', one.id);
    expect(code).toBe(0);
    await vi.waitFor(
      async () => {
        const refused = await post(one.key);
        expect([refused.status, JSON.parse(refused.text).detail]).toEqual([401, 'Invalid API key']);
      },
      { timeout: REVOKED_WITHIN_MS, interval: 20 },
    );
    expect((await post(two.key)).status).toBe(200);
    expect((await trawl('keys', 'revoke', one.id)).code).toBe(0);
    expect((await post(one.key)).status).toBe(401);
  });

  itPrints('a key that has expired is refused like an unknown one', async () => {
    const soon = new Date(Date.now() + 5_000).toISOString();
    const { key } = await createKey('one', 'search', '--expires', soon);
    await vi.waitFor(
      async () => {
        const refused = await post(key);
        expect([refused.status, JSON.parse(refused.text).detail]).toEqual([401, 'Invalid API key']);
      },
      { timeout: 20_000, interval: 100 },
    );
  });

  it('lose no records of the server: those before and after the commands survive kill -9', async () => {
    const { key } = await createKey('kept', 'search,read');
    const posted = [await post(key)];
    expect((await trawl('keys', 'list')).code).toBe(0);
    posted.push(await post(key));
    server.child.kill('SIGKILL');
    await server.ended;
    server = await start();
    for (const { status, text } of posted) {
      expect(status).toBe(200);
      const { session_id, interaction_id } = JSON.parse(text);
      const path = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
      const read = await request(`${server.url}${path}`, key);
      expect(read.text.startsWith(text.slice(0, -1))).toBe(true);
    }
  });
});
