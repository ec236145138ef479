import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { PROGRAM } from '@trawl/test-support/program';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from './support/run-program.ts';

const TIME_LIMIT_MS = 180_000;
const FOLLOWS_WITHIN_MS = 15_000;
const NEWS = 'breaking news: harbour strike vote result today';
/** The first three on news, when all simulated providers have a key. */
const FIRST = ['brave', 'parallel', 'tavily'];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
}, TIME_LIMIT_MS);
afterAll(() => server.stop());

/** The command on the database of the server. */
async function routing(...args: readonly string[]) {
  const keys = server.sandbox.vendors.map((vendor) => [`${vendor.toUpperCase()}_API_KEY`, 'key']);
  return runProgram(PROGRAM, ['routing', ...args], {
    ...Object.fromEntries(keys),
    DATA_DIR: server.database.location.dataDir,
  });
}

const routed = async (): Promise<readonly string[]> => {
  const search = { auto_routing: 'accuracy' };
  const { json } = await server.search({ user_input: { query: NEWS }, search });
  return json.routing[0].providers;
};

/** The metrics after a routed search. */
async function shadowed(): Promise<string> {
  await routed();
  return (await server.call('GET', '/metrics')).text;
}

async function countOf(metric: string): Promise<number> {
  const { text } = await server.call('GET', '/metrics');
  const line = text.split('\n').find((one) => one.startsWith(metric));
  return Number(line?.slice(metric.length));
}

const follows = (providers: readonly string[]) =>
  expect.poll(routed, { timeout: FOLLOWS_WITHIN_MS, interval: 500 }).toEqual(providers);

describe('a server that runs', { timeout: TIME_LIMIT_MS }, () => {
  test('follows what was learned from its own searches, and goes back', async () => {
    // real searches, on which one provider finds nothing
    for (let first = 0; first < 60; first += 6) {
      const { status } = await server.search({
        user_input: Array.from({ length: 6 }, (_, index) => ({
          query: `${NEWS} ${first + index} [[tavily:empty]]`,
        })),
        search: { providers: { include: [...FIRST, 'linkup'] }, num_results: 3 },
      });
      expect(status).toBe(200);
    }
    expect(await routed()).toEqual(FIRST);

    const { stdout } = await routing('learn', '--json');
    const { topics, proposal } = JSON.parse(stdout);
    expect(topics).toMatchObject([
      {
        ...{ topic: 'news', in_use: FIRST },
        test: { provider: 'linkup', replaces: 'tavily', decision: 'better' },
      },
    ]);
    expect(await routed()).toEqual(FIRST);

    // compared, without acting
    expect(await routing('shadow', 'on')).toMatchObject({ code: 0 });
    const counted = 'trawl_routing_shadow_total{topic="news",agrees="no"}';
    await expect.poll(shadowed, { timeout: FOLLOWS_WITHIN_MS, interval: 500 }).toContain(counted);
    expect(server.logged()).toContain(
      '"routing_shadow":[{"topic":"news","providers":["brave","parallel","linkup"],"agrees":false}]',
    );
    expect(await routed()).toEqual(FIRST);

    expect(await routing('promote')).toMatchObject({ code: 0 });
    await follows(['brave', 'parallel', 'linkup']);
    expect(server.logged().split('"routing_shadow"').length - 1).toBe(await countOf(counted));
    expect(server.logged()).toContain(`${proposal.version}`);

    // a file that is broken changes nothing
    const file = join(server.database.location.dataDir, 'learned-routing.json');
    const before = await routing('promote');
    expect([before.code, before.stderr]).toEqual([
      1,
      expect.stringContaining('nothing is proposed'),
    ]);
    expect(await routing('revert')).toMatchObject({ code: 0 });
    await follows(FIRST);
    await writeFile(file, '{');
    await expect
      .poll(() => server.logged(), { timeout: FOLLOWS_WITHIN_MS })
      .toContain('the topic ranking stays as it is: LEARNED_ROUTING_FILE');
    expect(await routed()).toEqual(FIRST);
  });
});
