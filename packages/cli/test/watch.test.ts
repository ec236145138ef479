import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MINUTE_MS, systemClock } from '@trawl/base';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from './support/command.ts';

const UUID = /^[0-9a-f-]{36}\n$/;

let server: TestServer;
let aheadMs = 0;

async function start(env: Record<string, string> = {}): Promise<void> {
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  server = await startTestServer({ clock, watchTimes: { lookMs: 20 }, env });
  onTestFinished(() => server.stop());
}

const folder = () => server.database.location.dataDir ?? '';

const trawl = (...args: readonly string[]) =>
  runCommand({
    args: ['watch', ...args],
    settings: { SERVICE_BASE_URL: server.url, SERVICE_API_KEY: server.key },
    folder: folder(),
  });

const watchOf = async (id: string) => (await server.call('GET', `/v1/watches/${id}`)).json;
const ran = (id: string, before: string | null) =>
  expect.poll(async () => (await watchOf(id)).last_run_at, { timeout: 20_000 }).not.toBe(before);

test('a search is watched, shown, paused, resumed and removed', async () => {
  await start();
  const added = await trawl(
    ...['add', 'tidal power', '--every', '1h', '--include', 'exa', '--num-results', '3'],
    ...['--name', 'tides'],
  );
  expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(UUID) });
  const id = added.stdout.trim();
  expect(await watchOf(id)).toMatchObject({
    interval_minutes: 60,
    search: {
      user_input: { query: 'tidal power' },
      search: { providers: { include: ['exa'] }, num_results: 3 },
    },
  });
  await ran(id, null);
  const list = await trawl('list');
  expect(list.stdout).toMatch(new RegExp(`^${id}\ttides\tactive\t1h\t\\S+\tsucceeded\t0\n$`));
  const quiet = await trawl('news', 'tides');
  expect([quiet.code, quiet.stdout]).toEqual([0, '']);
  const minute = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`;
  expect(quiet.stderr).toMatch(
    new RegExp(`^nothing new since ${minute}; last run ${minute}, next ${minute} \\(UTC\\)$`, 'm'),
  );
  const unknown = await trawl('news', 'waves');
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringMatching(/^trawl: no watch is called "waves"\n.*watch list" lists them/),
  ]);
  const paused = await trawl('pause', 'tides');
  expect(paused.stdout).toContain('state\tpaused\n');
  expect(paused.stdout).toContain('next run\tnone\n');
  const resumed = await trawl('resume', id, '--json');
  expect(JSON.parse(resumed.stdout)).toMatchObject({ id, state: 'active' });
  expect((await trawl('show', id)).stdout).toContain('status\tsucceeded\n');
  expect((await trawl('show', id.slice(0, 13))).stdout).toContain(`watch\t${id}\n`);
  const removed = await trawl('remove', 'tides');
  expect([removed.code, removed.stdout]).toEqual([0, '']);
  const gone = await trawl('show', id, '--json');
  expect(gone.code).toBe(1);
  expect(JSON.parse(gone.stderr).error.message).toContain('Watch not found');
});

test('news are rows, or JSON, from a place on', async () => {
  let paths = ['a', 'b'];
  const exa = await serveHttp((response) =>
    sendJson(response, {
      requestId: 'r',
      results: paths.map((path) => ({
        id: path,
        url: `https://www.example.com/${path}`,
        title: `Page\t${path}`,
      })),
    }),
  );
  await start({ EXA_BASE_URL: exa.url });
  const search = {
    user_input: { query: 'rope walks' },
    search: { providers: { include: ['exa'] } },
  };
  await writeFile(join(folder(), 'search.json'), JSON.stringify(search));
  const added = await trawl('add', '--request', 'search.json', '--every', '15m', '--json');
  const { id } = JSON.parse(added.stdout);
  await ran(id, null);
  const { last_run_at: before } = await watchOf(id);
  paths = ['c', 'a', 'd'];
  aheadMs += 15 * MINUTE_MS;
  await ran(id, before);
  const { stdout } = await trawl('news', id);
  const time = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
  const row = (number: number, path: string) =>
    `${number}\t${time}\tresult\thttps://www.example.com/${path}\tPage ${path}\texa\n`;
  expect(stdout).toMatch(new RegExp(`^${row(1, 'c')}${row(2, 'd')}$`));
  const json = JSON.parse((await trawl('news', id, '--json', '--after', '1')).stdout);
  expect(json).toMatchObject({ watch_id: id, news: [{ sequence: 2 }] });
  const lines = (await trawl('news', id, '--jsonl', '--limit', '1', '--after', '1d')).stdout;
  expect(JSON.parse(lines)).toMatchObject({ sequence: 1, provider: 'exa' });
  expect((await trawl('news', id, '--after', '2100-01-01')).stdout).toBe('');
});

test.each([
  ['nothing to watch', ['--every', '1h'], 'name what to watch'],
  ['two things', ['tides', '--url', 'https://www.example.com/', '--every', '1h'], 'name what'],
  ['no interval', ['tides'], "required option '--every <time>'"],
  ['a wrong interval', ['tides', '--every', 'hourly'], '--every takes minutes, hours or days'],
  [
    'a short interval',
    ['tides', '--every', '5m'],
    '--every takes minutes, hours or days from 15m to ',
  ],
  ['no such file', ['--request', 'none.json', '--every', '1h'], '--request none.json: it cannot'],
])('add is refused with %s', async (_case, args, message) => {
  await start();
  const { code, stderr } = await trawl('add', ...args);
  expect(code).not.toBe(0);
  expect(stderr).toContain(message);
  expect((await server.call('GET', '/v1/watches')).json.watches).toEqual([]);
});
