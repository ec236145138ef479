import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { HAS_PYTHON, PYTHON_SOURCES, python } from '@trawl/test-support/python';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandsOf } from '../../src/requests/commands.ts';
import type { PlannedRequest } from '../../src/requests/planned.ts';
import { pythonText } from '../../src/requests/python-text.ts';
import { shellWord } from '../../src/requests/shell-words.ts';

const run = promisify(execFile);
const KEY = 'tk_of_the_test';

/** Text that a careless quoting would run, end or change. */
const HOSTILE = `it's "$(touch /tmp/x)" \`id\` $HOME \\ \\n !! & ; | > # ~ * {a,b} é 🌊`;
const UNSEEN = 'one\ntwo\t\u001b[31mred\u202egnp\u2028\u0007';

const SEARCH: PlannedRequest = {
  mode: 'search',
  body: {
    user_input: { query: HOSTILE },
    search: {
      tier: 'extended',
      num_results: 3,
      providers: { include: ['one', 'two'] },
      include_full_content: true,
      provider_overrides: { one: { note: UNSEEN } },
    },
    metadata: { team: "the tide's" },
  },
};
const BATCH: PlannedRequest = {
  mode: 'search',
  body: { user_id: 'ann', user_input: [{ query: '--tier' }, { query: UNSEEN }] },
};
const FETCH: PlannedRequest = {
  mode: 'fetch',
  body: { urls: ["https://example.com/it's?a=$b&c=d"], options: { tier: 'max', no_cache: true } },
};

/** What JSON and Python write differently. */
const ODD: PlannedRequest = {
  mode: 'search',
  body: {
    user_input: [{ query: '\u{e0001}🌊\u{1f3f4}\u2028', note: null, rank: [1.5, true, false, []] }],
    search: { provider_overrides: { one: {} } },
  },
};

/** The words that bash makes of a text. */
async function wordsOf(text: string): Promise<readonly string[]> {
  const { stdout } = await run('bash', ['-c', `printf '%s\\0' ${text}`], { encoding: 'buffer' });
  return stdout.toString().split('\0').slice(0, -1);
}

describe('a word of a shell', () => {
  test.each([HOSTILE, UNSEEN, "'", '', '-', "$'\\n'", '\\', 'a b', '%s', '\n'])(
    '%j',
    async (text) => {
      expect(await wordsOf(shellWord(text))).toEqual([text]);
    },
  );

  test('any text comes out of bash as it was', async () => {
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), 300);
    const sayable = texts.map((text) => text.replaceAll('\0', ''));
    expect(await wordsOf(sayable.map(shellWord).join(' '))).toEqual(sayable);
  });

  test('has no character that a terminal would act on', () => {
    expect(shellWord(UNSEEN)).toMatch(/^[\x20-\x7e]+$/);
  });
});

interface Received {
  readonly address: string;
  readonly key: string | undefined;
  readonly body: unknown;
}

describe('a command', () => {
  const received: Received[] = [];
  let baseUrl = '';
  let folder = '';
  const server = createServer(async (request, response) => {
    received.push({
      address: `${request.method} ${request.url}`,
      key: request.headers.authorization,
      body: JSON.parse((await buffer(request)).toString()),
    });
    response.setHeader('content-type', 'application/json');
    response.end('{"session_id": "s", "preprocessor_runs": []}');
  });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commands-'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await new Promise((done) => server.close(done));
    await rm(folder, { recursive: true });
  });

  const environment = () => ({ ...process.env, SERVICE_API_KEY: KEY, NO_PROXY: '*' });
  const sent = (request: PlannedRequest, address: string) => ({
    address,
    key: `Bearer ${KEY}`,
    body: request.body,
  });

  test.each([
    ['POST /v1/search', SEARCH],
    ['POST /v1/interactions', BATCH],
    ['POST /v1/fetch', FETCH],
  ] as const)('of curl sends the request: %s', async (address, request) => {
    received.length = 0;
    await run('bash', ['-c', commandsOf(request, baseUrl).curl.text], { env: environment() });
    expect(received).toEqual([sent(request, address)]);
  });

  test.each([
    ['POST /v1/search', SEARCH],
    ['POST /v1/interactions', BATCH],
    ['POST /v1/fetch', FETCH],
  ] as const)('of TypeScript sends the request: %s', async (address, request) => {
    received.length = 0;
    const outfile = join(folder, `${request.mode}.mjs`);
    await build({
      stdin: {
        contents: commandsOf(request, baseUrl).typescript.text,
        loader: 'ts',
        resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      },
      ...{ bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'silent' },
    });
    await run(process.execPath, [outfile], { env: environment() });
    expect(received).toEqual([sent(request, address)]);
  });

  test.runIf(HAS_PYTHON).each([
    ['POST /v1/search', SEARCH],
    ['POST /v1/interactions', BATCH],
    ['POST /v1/fetch', FETCH],
    ['POST /v1/search', ODD],
  ] as const)('of Python sends the request: %s', async (address, request) => {
    received.length = 0;
    const { stdout } = await python(['-c', commandsOf(request, baseUrl).python.text], {
      cwd: folder,
      environment: { PYTHONPATH: PYTHON_SOURCES, SERVICE_API_KEY: KEY },
    });
    expect(received).toEqual([sent(request, address)]);
    expect(JSON.parse(stdout)).toEqual({ session_id: 's', preprocessor_runs: [] });
  });

  test.runIf(HAS_PYTHON)('of Python has any text as it is', async () => {
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), 300);
    const given = { texts, numbers: [1e21, -0.5, 2 ** 53], [UNSEEN]: { '': {} } };
    const program = `import json; print(json.dumps(${pythonText(given)}))`;
    const { stdout } = await python(['-c', program], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(given);
  });

  /** The arguments that the command line passes to `trawl`. */
  const argumentsOf = async (text: string) => {
    const script = `trawl() { printf '%s\\0' "$SERVICE_BASE_URL" "$@"; }; ${text}`;
    const { stdout } = await run('bash', ['-c', script], { encoding: 'buffer' });
    return stdout.toString().split('\0').slice(0, -1);
  };

  test('of the CLI has the options as flags, and says what it cannot express', async () => {
    const { text, leftOut } = commandsOf(SEARCH, baseUrl).cli;
    expect(await argumentsOf(text)).toEqual([
      baseUrl,
      ...['search', '--tier', 'extended', '--num-results', '3', '--include', 'one,two'],
      ...['--full-content', HOSTILE],
    ]);
    expect(leftOut).toEqual(['search.provider_overrides', 'metadata']);
  });

  test('of the CLI keeps a query that looks like a flag a query', async () => {
    const { text, leftOut } = commandsOf(BATCH, baseUrl).cli;
    expect(await argumentsOf(text)).toEqual([baseUrl, 'search', '--', '--tier', UNSEEN]);
    expect(leftOut).toEqual(['user_id']);
  });

  test('of the CLI for a fetch', async () => {
    const { text, leftOut } = commandsOf(FETCH, baseUrl).cli;
    expect(await argumentsOf(text)).toEqual([
      baseUrl,
      ...['fetch', '--tier', 'max', "https://example.com/it's?a=$b&c=d"],
    ]);
    expect(leftOut).toEqual(['options.no_cache']);
  });

  test('of MCP names the tool and its arguments', () => {
    const search = commandsOf(SEARCH, baseUrl).mcp;
    expect(JSON.parse(search.text)).toEqual({
      name: 'web_search',
      arguments: {
        query: HOSTILE,
        tier: 'extended',
        num_results: 3,
        include: ['one', 'two'],
        include_full_content: true,
      },
    });
    expect(search.leftOut).toEqual(['search.provider_overrides', 'metadata']);
    expect(JSON.parse(commandsOf(BATCH, baseUrl).mcp.text)).toEqual({
      name: 'web_search',
      arguments: { queries: ['--tier', UNSEEN] },
    });
    expect(JSON.parse(commandsOf(FETCH, baseUrl).mcp.text)).toEqual({
      name: 'web_fetch',
      arguments: { urls: ["https://example.com/it's?a=$b&c=d"], tier: 'max' },
    });
  });

  test('of the CLI and of MCP have filters in their own words', async () => {
    const filters = { include_domains: ['a.com', 'b.org'], language: 'de', mode: 'strict' };
    const request: PlannedRequest = {
      mode: 'search',
      body: { user_input: { query: 'tides' }, search: { filters } },
    };
    const { cli, mcp } = commandsOf(request, baseUrl);
    expect(await argumentsOf(cli.text)).toEqual([
      ...[baseUrl, 'search', '--site', 'a.com,b.org', '--lang', 'de', '--strict-filters', 'tides'],
    ]);
    expect(JSON.parse(mcp.text).arguments).toEqual({
      query: 'tides',
      include_domains: ['a.com', 'b.org'],
      language: 'de',
      strict_filters: true,
    });
    expect([cli.leftOut, mcp.leftOut]).toEqual([[], []]);
  });

  test('is made of any body, also one that the server would refuse', () => {
    for (const body of [
      {},
      { user_input: 5 },
      { user_input: [null, 'x'] },
      { urls: 'x', options: [] },
      { toString: 1, search: { constructor: 'x' }, options: { valueOf: [] } },
    ]) {
      for (const mode of ['search', 'fetch'] as const) {
        expect(JSON.parse(commandsOf({ mode, body }, baseUrl).mcp.text)).toHaveProperty('name');
      }
    }
  });

  test('shows unseen characters as escapes', () => {
    for (const request of [SEARCH, BATCH]) {
      for (const { text } of Object.values(commandsOf(request, baseUrl))) {
        expect(text).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
      }
    }
  });
});
