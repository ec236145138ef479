import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { runProgram } from '@trawl/test-support/program';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from './support/command.ts';

const TIME_LIMIT_MS = 120_000;
const SEARCH = {
  user_input: { query: 'startups that recycle batteries in Sweden' },
  search: { auto_routing: 'accuracy', providers: { include: ['exa', 'brave'] } },
};

let server: TestServer;
let interactionId: string;
let url: string;
beforeAll(async () => {
  server = await startTestServer();
  const { json } = await server.search(SEARCH);
  interactionId = json.interaction_id;
  url = json.preprocessor_runs[0].output_payload.results[1].url;
}, TIME_LIMIT_MS);
afterAll(() => server.stop());

/** The command, as a client of the server and on its database. */
const trawl = (...args: string[]) =>
  runCommand({
    args,
    settings: { SERVICE_BASE_URL: server.url, SERVICE_API_KEY: server.key },
    folder: server.database.location.dataDir,
  });

describe('trawl feedback', { timeout: TIME_LIMIT_MS }, () => {
  test('records feedback and shows it; without arguments it shows earlier feedback', async () => {
    const said = await trawl('feedback', interactionId, '--used', url, '--note', 'cited');
    expect([said.code, said.stderr]).toEqual([0, '']);
    expect(said.stdout).toContain(`used\texa\t0\t2\t${url}\tcited\n`);
    const read = await trawl('feedback', interactionId, '--json');
    expect(read.code).toBe(0);
    expect(JSON.parse(read.stdout)).toMatchObject({
      interaction_id: interactionId,
      results: expect.arrayContaining([expect.objectContaining({ url, verdict: 'used' })]),
    });
  });

  test('without feedback it says so, and standard output stays empty', async () => {
    const { json } = await server.call('POST', '/v1/interactions', { body: {} });
    expect(await trawl('feedback', json.interaction_id)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'This interaction does not have feedback yet.\n',
    });
  });

  test('a result that the interaction does not have is refused with those that it has: exit 2', async () => {
    const { code, stderr } = await trawl(
      ...['feedback', interactionId, '--wrong', 'https://nowhere.example/'],
    );
    expect(code).toBe(2);
    expect(stderr).toContain(url);
  });

  test('a note without a result is a mistake: exit 2', async () => {
    const { code, stderr } = await trawl('feedback', interactionId, '--note', 'cited');
    expect([code, stderr]).toEqual([2, expect.stringContaining('need --used')]);
  });
});

describe('trawl routing report', { timeout: TIME_LIMIT_MS }, () => {
  /** In a process of its own, since this one has the database open. */
  const report = (...args: string[]) =>
    runProgram({
      args: ['routing', 'report', ...args],
      settings: { DATA_DIR: server.database.location.dataDir },
      folder: server.database.location.dataDir,
    });

  test('prints a table by topic while a server runs, and explains the figures', async () => {
    const { code, stdout, stderr } = await report();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^all projects, .* to .*; ranking \S/);
    expect(stdout).toMatch(/^companies: 2 runs; queries with feedback: \d$/m);
    expect(stdout).toMatch(
      /^1 +exa +1 +0 % +\d+\/\d+ +\$0\.\d{4} +1\/1 100 % \(21-100\) +1\/0\/0$/m,
    );
    expect(stdout).toContain('Sources: the ledger');
  });

  test('--json prints the same as JSON', async () => {
    const { code, stdout } = await report('--json', '--project', 'main');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      project: 'main',
      topics: [
        {
          topic: 'companies',
          runs: 2,
          providers: [{ provider: 'exa', place: 1, runs: 1, failures: {} }, { provider: 'brave' }],
          findings: [expect.any(String)],
        },
      ],
      left_out: { older: 0, deleted: 0 },
    });
  });

  test.each([
    [['--days', '0'], 2, '--days takes a whole number from 1 to 400'],
    [['--project', 'other'], 1, 'no project is called other'],
  ])('%s is reported in one sentence', async (args, exitCode, message) => {
    const { code, stderr } = await trawl('routing', 'report', ...args);
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(message)]);
  });
});
