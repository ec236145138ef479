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
import type { PlannedRequest } from '../../src/requests/planned.ts';
import { inQuotes, programsOf } from '../../src/requests/programs.ts';

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

test('any text in quotes is one word of a shell, as it was', async () => {
  const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), 300);
  const sayable = [HOSTILE, UNSEEN, '', ...texts].map((text) => text.replaceAll('\0', ''));
  expect(await wordsOf(sayable.map(inQuotes).join(' '))).toEqual(sayable);
});

/** The program of a request in one language. */
function programIn(language: string, request: PlannedRequest, baseUrl: string): string {
  const program = programsOf(request, baseUrl).find(({ name }) => name === language);
  return program?.text ?? '';
}

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
    await run('bash', ['-c', programIn('curl', request, baseUrl)], { env: environment() });
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
        contents: programIn('TypeScript', request, baseUrl),
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
    const { stdout } = await python(['-c', programIn('Python', request, baseUrl)], {
      cwd: folder,
      environment: { PYTHONPATH: PYTHON_SOURCES, SERVICE_API_KEY: KEY },
    });
    expect(received).toEqual([sent(request, address)]);
    expect(JSON.parse(stdout)).toEqual({ session_id: 's', preprocessor_runs: [] });
  });

  test.runIf(HAS_PYTHON)('of Python has any text as it is', async () => {
    const texts = fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), 300);
    const body = { texts, quotes: ['', '"', '"""', '\\', '\\"'], [UNSEEN]: { '': {} } };
    received.length = 0;
    await python(['-c', programIn('Python', { mode: 'search', body }, baseUrl)], {
      cwd: folder,
      environment: { PYTHONPATH: PYTHON_SOURCES, SERVICE_API_KEY: KEY },
    });
    expect(received).toEqual([sent({ mode: 'search', body }, 'POST /v1/search')]);
  });

  test('shows unseen characters as escapes', () => {
    for (const request of [SEARCH, BATCH]) {
      for (const { text } of programsOf(request, baseUrl)) {
        expect(text).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
      }
    }
  });
});
