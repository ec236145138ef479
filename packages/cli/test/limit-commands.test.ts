import { describeMainlyOn } from '@trawl/test-support/databases';
import {
  newSite,
  type RunningServer,
  request,
  type Site,
  startServe,
} from '@trawl/test-support/program';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runCommand } from './support/command.ts';

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
    runCommand({ args, settings: site.settings, folder: site.folder });
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
    expect(lifted).toMatchObject({ id, rate_limit: null, monthly_budget_usd: 2.5 });
    await vi.waitFor(async () => expect((await post(key)).status).toBe(200), {
      timeout: 20_000,
      interval: 50,
    });
    const [listed] = await json('keys', 'list', '--project', 'limited');
    expect(listed).toMatchObject({ id, rate_limit: null, monthly_budget_usd: 2.5 });
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
});
