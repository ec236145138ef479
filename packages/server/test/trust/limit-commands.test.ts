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

describeMainlyOn('SQLite', 'the limit commands, next to a running server', (database) => {
  let site: Site;
  let server: RunningServer;
  beforeAll(async () => {
    site = await newSite(database);
    server = await startServe({
      settings: site.settings,
      folder: site.folder,
    });
  });
  afterAll(async () => {
    await site.clear(server);
  });

  const trawl = (...args: string[]) =>
    runProgram({ args, settings: site.settings, folder: site.folder });
  async function json(...args: string[]) {
    const { code, stdout, stderr } = await trawl(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  }
  const post = (key: string) => request(`${server.url}/v1/interactions`, key, 'POST', {});

  it('keys create sets limits that apply at once; keys limit changes one and keeps the other', async () => {
    const limits = ['--rate-limit', '1', '--monthly-budget', '2.5'];
    const { id, key } = await json('keys', 'create', '--project', 'limited', ...limits);
    expect([(await post(key)).status, (await post(key)).status]).toEqual([200, 429]);

    const lifted = await json('keys', 'limit', id, '--rate-limit', 'none');
    expect(lifted).toEqual({ id, rate_limit: null, monthly_budget_usd: 2.5 });
    await vi.waitFor(async () => expect((await post(key)).status).toBe(200), {
      timeout: 20_000,
      interval: 50,
    });
    const [listed] = await json('keys', 'list', '--project', 'limited');
    expect(listed).toMatchObject({ id, rate_limit: null, monthly_budget_usd: 2.5 });
  });

  it('projects retention sets how long a project keeps interactions, or follows the setting again', async () => {
    const { name } = await json('projects', 'create', 'kept');
    const retentionOf = async () => {
      const listed: { name: string; retention: unknown }[] = await json('projects', 'list');
      return listed.find((project) => project.name === name)?.retention;
    };
    expect(await retentionOf()).toBe('default');
    for (const [given, expected] of [
      ['90', 90],
      ['keep', 'keep'],
      ['default', 'default'],
    ] as const) {
      const set = await json('projects', 'retention', name, given);
      expect(set).toEqual({ name, retention: expected });
      expect(await retentionOf()).toBe(expected);
    }
  });

  it('projects limit applies to all keys of the project', async () => {
    const { key } = await json('keys', 'create', '--project', 'poor');
    expect((await post(key)).status).toBe(200);
    const limited = await json('projects', 'limit', 'poor', '--monthly-budget', '0');
    expect(limited).toMatchObject({ name: 'poor', rate_limit: null, monthly_budget_usd: 0 });
    await vi.waitFor(async () => expect((await post(key)).status).toBe(402), {
      timeout: 20_000,
      interval: 50,
    });
    const listed = await json('projects', 'list');
    expect(listed.find(({ name }: { name: string }) => name === 'poor')).toMatchObject(limited);
  });

  onlyOn(database, 'SQLite')('refuse a wrong limit, and unknown keys and projects', async () => {
    const wrong = [
      [2, 1, 'keys create --rate-limit 0'],
      [2, 1, 'keys create --monthly-budget -1'],
      // one line for the database, one for the mistake
      [1, 2, 'keys limit unknown --rate-limit 5'],
      [1, 2, 'projects limit nowhere --monthly-budget 5'],
      [2, 1, 'projects limit limited --monthly-budget 1e3'],
      [1, 2, 'projects retention nowhere 30'],
      [2, 1, 'projects retention limited 0'],
      [2, 1, 'projects retention limited never'],
    ] as const;
    for (const [expected, lines, line] of wrong) {
      const { code, stdout, stderr } = await trawl(...line.split(' '));
      expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([expected, '', lines]);
    }
  });
});
