import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { PROGRAM } from '@trawl/test-support/program';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProgram } from '../support/run-program.ts';
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
const onServer = (...args: readonly string[]) =>
  runProgram(PROGRAM, args, {
    ...Object.fromEntries(Object.entries(server.environment).filter(([, value]) => value)),
    LEARNED_ROUTING_FILE: join(place.folder, 'learned.json'),
  } as Record<string, string>);

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
  const refused = await onServer(...draw);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('"evaluation": true'),
  ]);

  const consent = await onServer('keys', 'profile', mine.id, '--set', '{"evaluation": true}');
  expect(consent.code).toBe(0);
  const { code, stdout } = await onServer(...draw);
  expect([
    code,
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ]).toEqual([0, [{ query: 'tidal power', filters: { country: 'DE' } }, { query: 'rope walks' }]]);
  const named = await onServer(...draw, '--keys', other.id);
  expect([named.code, named.stderr]).toEqual([2, expect.stringContaining(other.id)]);

  await writeFile(join(place.folder, 'drawn.jsonl'), stdout);
  const args = ['drawn.jsonl', '--providers', 'exa,brave', '--yes', '--json'];
  const evaluated = await place.evaluate(args, { SERVICE_API_KEY: mine.key });
  expect(JSON.parse(evaluated.stdout).set).toMatchObject({ name: 'drawn', queries: 2 });
  // what the evaluation asked is not drawn again
  expect((await onServer(...draw)).stdout).toBe(stdout);
});

test('what an evaluation finds is proposed to routing', async () => {
  const words = ['storm', 'strike', 'election', 'flood', 'budget', 'festival', 'verdict', 'merger'];
  const texts = words.flatMap((word) =>
    [1, 2, 3, 4, 5, 6].map((day) => `breaking news ${word} on day ${day}`),
  );
  const inOrder = JSON.parse(
    (await onServer('routing', 'explain', 'breaking news', '--json')).stdout,
  );
  const [{ provider: inside }] = inOrder.chosen;
  const outside = ['linkup', 'parallel', 'perplexity', 'exa'].find((name) =>
    inOrder.chosen.every(({ provider }: { provider: string }) => provider !== name),
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
  const learn = ['routing', 'learn', '--evaluation', join(place.folder, 'report.json'), '--json'];
  const { code, stdout } = await onServer(...learn);
  expect(code).toBe(0);
  const { topics, proposal } = JSON.parse(stdout);
  expect(topics).toMatchObject([
    {
      topic: 'news',
      labels: { gold: 48 },
      test: { provider: outside, replaces: inside, decision: 'better' },
    },
  ]);
  // the sandbox made its rows up, and the proposal says so
  expect(proposal.version).toContain('on mine, SIMULATED rows');
  expect((await onServer('routing', 'promote')).code).toBe(0);

  await writeFile(join(place.folder, 'report.json'), '{"format": 1}');
  const other = await onServer(...learn);
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringContaining('write it with trawl evaluate --json'),
  ]);
});
