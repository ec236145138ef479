import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMainlyOn, onlyOn } from '@trawl/test-support/databases';
import {
  newSite,
  type RunningServer,
  request,
  type Site,
  startServe,
} from '@trawl/test-support/program';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCommand } from './support/command.ts';

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
    runCommand({ args, settings: site.settings, folder: site.folder });

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

describe('commands that are refused', () => {
  const SECRET = 's3cr3t';
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'trawl-refused-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('stop at wrong settings, without secrets', async () => {
    const settings = { DATABASE_URL: `mysql://user:${SECRET}@db.example.com/trawl`, PORT: '70000' };
    const args = ['keys', 'list', '--json'];
    const { code, stdout, stderr } = await runCommand({ args, settings, folder });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd().split('\n')).toHaveLength(3);
    expect(stderr).not.toContain(SECRET);
  });

  it.each<[string[], RegExp, number]>([
    [['keys', 'create', '--permissions', 'search,everything'], /--permissions takes/, 2],
    [['keys', 'create', '--permissions', ''], /--permissions takes/, 2],
    [['keys', 'create', '--expires', 'soon'], /--expires takes/, 2],
    [['keys', 'create', '--name', ' '], /--name takes/, 2],
    [['keys', 'revoke', 'nothing'], /no trawl database found at .*DATA_DIR/, 1],
    [['keys', 'list', '--project', 'nowhere'], /no trawl database found at /, 1],
    [['projects', 'create', ''], /NAME takes/, 2],
  ])(
    'a command that fails exits with 1, a wrong one with 2, with one line: %j',
    async (args, words, expected) => {
      const { code, stdout, stderr } = await runCommand({ args, folder });
      expect([code, stdout]).toEqual([expected, '']);
      expect(stderr).toMatch(/^trawl: .+\n$/);
      expect(stderr).toMatch(words);
    },
  );
});
