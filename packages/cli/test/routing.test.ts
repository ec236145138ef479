import { tmpdir } from 'node:os';
import { type Sandbox, startSandbox } from '@trawl/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from './support/command.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => sandbox.clearCalls());
afterAll(async () => {
  await sandbox.stop();
});

/** `npx trawl routing …` against the simulated providers. */
const routing = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand({
    args: ['routing', ...args],
    settings: { ...sandbox.allSettings(() => 'sandbox'), ...env },
    folder: tmpdir(),
  });

describe('trawl routing explain', () => {
  const QUERY = 'startups that recycle batteries in Sweden';

  test('shows topic, scores, evidence, candidates, and the chosen three with reason and source', async () => {
    const { code, stdout } = await routing(['explain', QUERY]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^topic companies, score \d\.\d{3}, by the embedded classifier$/m);
    expect(stdout.match(/^ {2}\d\.\d{3} {2}\w+$/gm)).toHaveLength(8);
    expect(stdout).toMatch(/"startups" speaks for it \(\+/);
    expect(stdout).toMatch(/^ {2}exa, brave, tavily, .*searxng/m);
    expect(stdout.match(/^ {2}\w+, place [123]: \S/gm)).toHaveLength(3);
    expect(stdout.match(/^ {4}https:\/\//gm)).toHaveLength(3);
    expect(sandbox.calls).toEqual([]);
  });

  test('the same as JSON', async () => {
    const { code, stdout } = await routing(['explain', QUERY, '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { query: QUERY, topic: 'companies', chosen: [{ provider: 'exa', place: 1 }, {}, {}] },
    ]);
  });

  test.each([
    ['an empty query', [' '], {}, 'QUERY is empty', 2],
    [
      'a wrong setting',
      ['q'],
      { ROUTING_FILE: '/no/such/file' },
      'ROUTING_FILE must name a routing file',
      1,
    ],
    ['no endpoint', ['q'], { TOPIC_EMBEDDINGS_URL: 'http://127.0.0.1:9' }, 'topic_embeddings', 1],
  ])('fails with a sentence on %s', async (_name, args, env, message, expected) => {
    const { code, stderr } = await routing(['explain', ...args], env);
    expect([code, stderr]).toEqual([expected, expect.stringContaining(message)]);
  });
});
