import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { runProgram, type Settings } from '@trawl/test-support/program';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPlace, type Place } from './program.ts';

let server: TestServer;
let place: Place;
beforeAll(async () => {
  server = await startTestServer();
  place = await newPlace(server);
});
afterAll(async () => {
  await server.stop();
  await place.remove();
});

/** A command of the server's machine. */
const onServer = (args: readonly string[], settings: Settings = {}) =>
  runProgram({
    args,
    settings: { ...server.environment, ...settings },
    folder: place.folder,
  });

test('only what keys with consent searched for becomes a set, once each, with its filters', async () => {
  const mine = await server.makeKey('main');
  const other = await server.makeKey('main');
  const ask = (key: string, query: string, filters?: object) =>
    server.search(
      { user_input: { query }, search: { providers: { include: ['exa'] }, filters } },
      { key },
    );
  await ask(mine.key, 'tidal power', { country: 'DE' });
  await ask(mine.key, 'tidal power', { country: 'DE' });
  await ask(mine.key, 'rope walks');
  await ask(other.key, 'a secret plan');

  const draw = ['routing', 'queries', '--project', 'main'];
  const refused = await onServer(draw);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('"evaluation": true'),
  ]);

  const consent = await onServer(['keys', 'profile', mine.id, '--set', '{"evaluation": true}']);
  expect(consent.code).toBe(0);
  const { code, stdout } = await onServer(draw);
  expect([
    code,
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ]).toEqual([0, [{ query: 'tidal power', filters: { country: 'DE' } }, { query: 'rope walks' }]]);
  const named = await onServer([...draw, '--keys', other.id]);
  expect([named.code, named.stderr]).toEqual([2, expect.stringContaining(other.id)]);

  await writeFile(join(place.folder, 'drawn.jsonl'), stdout);
  const args = ['drawn.jsonl', '--providers', 'exa,brave', '--yes', '--json'];
  const evaluated = await place.evaluate(args, { SERVICE_API_KEY: mine.key });
  expect(JSON.parse(evaluated.stdout).set).toMatchObject({ name: 'drawn', queries: 2 });
  // what the evaluation asked is not drawn again
  expect((await onServer(draw)).stdout).toBe(stdout);
});

test('what an evaluation finds is proposed to routing', async () => {
  const words = ['storm', 'strike', 'election', 'flood', 'budget', 'festival', 'verdict', 'merger'];
  const texts = words.flatMap((word) =>
    [1, 2, 3, 4, 5, 6].map((day) => `breaking news ${word} on day ${day}`),
  );
  const explained = async (settings?: Settings) => {
    const explain = ['routing', 'explain', 'breaking news', '--json'];
    return JSON.parse((await onServer(explain, settings)).stdout).chosen;
  };
  const inOrder = await explained();
  const [{ provider: inside }] = inOrder;
  const outside = ['linkup', 'parallel', 'perplexity', 'exa'].find((name) =>
    inOrder.every(({ provider }: { provider: string }) => provider !== name),
  );
  const rows = await Promise.all(
    texts.map(async (query) => {
      const { json } = await server.search({
        user_input: { query },
        search: { providers: { include: [outside] } },
      });
      const [{ output_payload: output }] = json.preprocessor_runs;
      return {
        query: `${query} [[${inside}:empty]]`,
        topic: 'news',
        gold_urls: [output.results[0].url],
      };
    }),
  );
  const file = await place.setFile(rows);
  const args = [file, '--providers', `${inside},${outside}`, '--yes', '--json'];
  await writeFile(join(place.folder, 'report.json'), (await place.evaluate(args)).stdout);
  const learn = ['learn', 'report.json', '--json', '--out', 'order.json'];
  const own = { topics: { companies: ['exa'] } };
  await writeFile(join(place.folder, 'order.json'), JSON.stringify(own));
  const { code, stdout, stderr } = await place.evaluate(learn);
  expect([code, stderr]).toEqual([0, expect.stringContaining('order.json is written')]);
  const { topics, proposal } = JSON.parse(stdout);
  expect(topics).toMatchObject([
    {
      topic: 'news',
      labels: { gold: 48 },
      in_use: inOrder.map(({ provider }: { provider: string }) => provider),
      test: { provider: outside, replaces: inside, decision: 'better' },
    },
  ]);
  // the sandbox made its rows up, and the proposal says so
  expect(proposal.version).toContain('on mine, SIMULATED rows');
  const written = JSON.parse(await readFile(join(place.folder, 'order.json'), 'utf8'));
  expect(written).toEqual({ ...proposal, topics: { ...own.topics, ...proposal.topics } });
  // the operator sets it, and takes it back
  const ROUTING_FILE = join(place.folder, 'order.json');
  const [first] = await explained({ ROUTING_FILE });
  expect(first).toMatchObject({
    provider: outside,
    reason: expect.stringContaining(`in the place of ${inside}`),
    source: `trawl evaluate learn, ${proposal.version}`,
  });
  expect(await explained()).toEqual(inOrder);

  const table = await place.evaluate(['learn', 'report.json']);
  expect(table.stdout).toContain(`${outside} in the place of ${inside}: better`);
});

test('a report, and a place for the order, are checked first', async () => {
  await writeFile(join(place.folder, 'other.json'), '{"format": 1}');
  const other = await place.evaluate(['learn', 'other.json']);
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringContaining('other.json: it is not trawl-evaluation-report/1'),
  ]);
  const missing = await place.evaluate(['learn', 'nowhere.json', '--json']);
  expect([missing.code, JSON.parse(missing.stderr).error.message]).toEqual([
    2,
    'nowhere.json cannot be read (ENOENT)',
  ]);
  const unwritable = await place.evaluate(['learn', 'other.json', '--out', '/no/such/order.json']);
  expect([unwritable.code, unwritable.stderr]).toEqual([
    1,
    expect.stringContaining('--out: /no/such/order.json'),
  ]);
});

test('routing learn says where it went', async () => {
  const { code, stderr } = await onServer(['routing', 'learn', '--days', '90', '--json']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('evaluate learn')]);
});
