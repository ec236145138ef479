import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@trawl/sandbox';
import { PROGRAM } from '@trawl/test-support/program';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let sandbox: Sandbox;
let folder: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  folder = await mkdtemp(join(tmpdir(), 'trawl-routing-cli-'));
});
beforeEach(() => sandbox.clearCalls());
afterAll(async () => {
  await sandbox.stop();
  await rm(folder, { recursive: true });
});

/** `npx trawl routing …` without npm in between, against the simulated providers. */
async function routing(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const settings = sandbox.vendors.flatMap((vendor) => [
    [`${vendor.toUpperCase()}_BASE_URL`, sandbox.baseUrl(vendor)],
    [`${vendor.toUpperCase()}_API_KEY`, 'sandbox'],
  ]);
  const child = spawn(process.execPath, [PROGRAM, 'routing', ...args], {
    env: { ...process.env, ...Object.fromEntries(settings), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = [child.stdout, child.stderr].map(async (stream) => {
    const chunks = await stream.toArray();
    return Buffer.concat(chunks).toString();
  });
  const [code] = await once(child, 'close');
  const [stdout = '', stderr = ''] = await Promise.all(texts);
  return { code, stdout, stderr };
}

/** The hosts of all simulated pages. */
const EVERYWHERE = 'example.com example.org example.net';
const QUERIES = [
  `news\tharbour strike [[brave:empty]]\t${EVERYWHERE}`,
  `news\tflood warnings [[brave:empty]]\t${EVERYWHERE}`,
  `companies\tbattery makers [[exa:status=400]]\t${EVERYWHERE}`,
  'general\thow to tie a knot',
].join('\n');

async function queryFile(text = QUERIES): Promise<string> {
  const path = join(folder, 'queries.tsv');
  await writeFile(path, text);
  return path;
}

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

describe('trawl routing evaluate', () => {
  test('ranks providers by what they find, and writes a file that ROUTING_FILE reads', async () => {
    const out = join(folder, 'ranking.json');
    const providers = ['--providers', 'brave,exa', '--out', out];
    const file = await queryFile();
    const { code, stdout, stderr } = await routing([
      'evaluate',
      file,
      ...providers,
      '--yes',
      '--json',
    ]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('is written')]);
    expect(stderr).toContain(
      '4 queries × 2 providers (brave, exa) = 8 calls, about $0.0480 by the price list',
    );

    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ calls: 8, unknown_cost_calls: 1 });
    expect(report.topics).toMatchObject([
      {
        topic: 'news',
        with_truth: 2,
        providers: [
          { provider: 'exa', success_at_5: { mean: 1, low: 1, high: 1 }, failures: {} },
          { provider: 'brave', success_at_5: { mean: 0 }, ndcg_at_5: { mean: 0 } },
        ],
      },
      {
        topic: 'companies',
        providers: [{ provider: 'brave' }, { provider: 'exa', failures: { bad_request: 1 } }],
      },
      { topic: 'general', with_truth: 0, providers: [{ ndcg_at_5: null }, { ndcg_at_5: null }] },
    ]);

    const ranking = JSON.parse(await readFile(out, 'utf8'));
    expect(ranking).toEqual(report.ranking);
    expect(Object.keys(ranking.topics)).toEqual(['news', 'companies']);
    const dry = await routing(['evaluate', file, '--providers', 'exa'], { ROUTING_FILE: out });
    expect(dry.stderr).toContain('cannot be confirmed without a terminal');
  });

  test('shows tables for people', async () => {
    const file = await queryFile();
    const { code, stdout } = await routing(['evaluate', file, '--providers', 'exa,brave', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('news: 2 queries, 2 with known pages');
    expect(stdout).toMatch(/│ exa +│ \d\.\d\d \(\d\.\d\d-\d\.\d\d\) +│ 1\.00 \(1\.00-1\.00\)/);
    expect(stdout).toContain('1 bad_request');
    expect(stdout).toMatch(/Paid: \$0\.04\d+ and the unknown price of 1 call\./);
  });

  test('the same seed gives the same intervals', async () => {
    const file = await queryFile();
    const args = ['evaluate', file, '--providers', 'exa,brave', '--yes', '--json', '--seed', '7'];
    const reports = [await routing(args), await routing(args)].map(({ stdout }) =>
      JSON.parse(stdout),
    );
    const [first, second] = reports.map((report) =>
      report.topics.flatMap((topic: { providers: { ndcg_at_5: unknown }[] }) =>
        topic.providers.map(({ ndcg_at_5 }) => ndcg_at_5),
      ),
    );
    expect(first).toEqual(second);
  });

  test.each([
    ['without --yes and without a terminal', ['--providers', 'exa'], 'add --yes', 1],
    ['an unknown provider', ['--providers', 'nimbus', '--yes'], 'unknown provider nimbus', 1],
    [
      'an output path that cannot be written',
      ['--providers', 'exa', '--yes', '--out', '/no/such/a.json'],
      '--out: /no/such/a.json cannot be written',
      1,
    ],
    [
      'a wrong seed',
      ['--providers', 'exa', '--yes', '--seed', 'x'],
      '--seed takes a whole number',
      2,
    ],
  ])('sends nothing: %s', async (_name, args, message, expected) => {
    const { code, stderr } = await routing(['evaluate', await queryFile(), ...args]);
    expect([code, stderr]).toEqual([expected, expect.stringContaining(message)]);
    expect(sandbox.calls).toEqual([]);
  });

  test('names the line of a file that is wrong', async () => {
    const file = await queryFile('news\tok\nsports\tmatch');
    const { code, stderr } = await routing(['evaluate', file, '--providers', 'exa', '--yes']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('queries.tsv: line 2 has an unknown topic'),
    ]);
  });
});
