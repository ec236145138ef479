import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failures, merged, pagesOf, rowsOf, warningsOf } from '../packages/client/src/index.ts';
import {
  answer,
  failedPage,
  fetchRun,
  page,
  searchRun,
  withRows,
} from '../packages/client/test/support/answers.ts';
import { startTestServer, type TestServer } from '../packages/server/test/support/harness.ts';
import { HAS_WHEEL_TOOLS, python } from './support/python.ts';

const SOURCES = fileURLToPath(new URL('../clients/python/', import.meta.url));
const REASON = 'needs Python 3.9 or newer with pip, setuptools and wheel';

const title = `the Python client, installed from its wheel${HAS_WHEEL_TOOLS ? '' : ` (skipped: ${REASON})`}`;

describe.runIf(HAS_WHEEL_TOOLS)(title, () => {
  let folder: string;
  let server: TestServer;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trawl-python-'));
    [server] = await Promise.all([startTestServer(), installWheel(folder)]);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await server.stop();
  });

  const installed = () => ({ PYTHONPATH: join(folder, 'site') });

  test('the wheel has the types and no test', () => {
    const files = readdirSync(join(folder, 'site'), { recursive: true, encoding: 'utf8' });
    expect(files).toContain('trawl/py.typed');
    expect(files).toContain('trawl/types.py');
    expect(files.filter((name) => name.includes('test'))).toEqual([]);
  });

  test('its own tests pass, those with a server too', async () => {
    const { stderr } = await python(
      ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests', '-t', '.'],
      {
        cwd: SOURCES,
        environment: {
          ...installed(),
          SERVICE_BASE_URL: server.url,
          SERVICE_API_KEY: server.key,
        },
      },
    );
    expect(stderr).toMatch(/^Ran [1-9]\d tests in /m);
    expect(stderr.trimEnd()).toMatch(/\nOK$/);
  });

  test('a call whose answer was lost is paid once', async () => {
    server.sandbox.clearCalls();
    const lossy = await startLossyProxy(server.url);
    try {
      const search = 'client.search("tides", {"providers": {"include": ["exa"]}})';
      const program = `from trawl import Trawl\nwith Trawl() as client:\n  print(${search}["status"])`;
      const { stdout } = await python(['-c', program], {
        cwd: folder,
        environment: {
          ...installed(),
          SERVICE_BASE_URL: lossy.url,
          SERVICE_API_KEY: server.key,
        },
      });
      expect(stdout).toBe('succeeded\n');
    } finally {
      lossy.stop();
    }
    expect(lossy.keys).toHaveLength(2);
    expect(lossy.keys[0]).toBe(lossy.keys[1]);
    expect(server.sandbox.calls).toHaveLength(1);
  });

  test('lists made from an answer are those of the TypeScript client', async () => {
    const answers = [...fc.sample(searchAnswers, 60), ...fc.sample(fetchAnswers, 30), {}];
    const { json } = await server.search({
      user_input: [{ query: 'tidal power' }, { query: 'wave power' }],
      search: { tier: 'max', providers: { include: ['exa', 'brave', 'tavily'] } },
    });
    const path = join(folder, 'answers.json');
    writeFileSync(path, JSON.stringify([json, ...answers]));
    const { stdout } = await python(['-c', LISTS, path], {
      cwd: folder,
      environment: installed(),
    });
    const all = JSON.parse(readFileSync(path, 'utf8')) as Parameters<typeof merged>[0][];
    const expected = all.map((each) => ({
      rows: rowsOf(each),
      pages: pagesOf(each),
      merged: merged(each),
      failures: failures(each),
      warnings: warningsOf(each),
    }));
    expect(expected.some((lists) => lists.merged.some(({ sources }) => sources.length > 1))).toBe(
      true,
    );
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(expected)));
  });
});

/** Without a network, hence with the system's setuptools. Its build leaves files, hence in a copy. */
async function installWheel(folder: string): Promise<void> {
  const sources = join(folder, 'sources');
  cpSync(SOURCES, sources, { recursive: true });
  const pip = (...args: readonly string[]) =>
    python(['-m', 'pip', ...args, '--no-deps', '--no-index', '--quiet'], { cwd: folder });
  await pip('wheel', '--no-build-isolation', '--wheel-dir', join(folder, 'wheels'), sources);
  const wheels = readdirSync(join(folder, 'wheels'));
  expect(wheels).toEqual([expect.stringMatching(/^trawl_client-\d+\.\d+\.\d+-py3-none-any\.whl$/)]);
  const wheel = join(folder, 'wheels', wheels[0] ?? '');
  await pip('install', '--target', join(folder, 'site'), wheel);
}

/** Passes requests on, and drops the first answer. */
async function startLossyProxy(target: string) {
  const keys: string[] = [];
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization = '', 'idempotency-key': key } = request.headers;
    keys.push(String(key));
    const answered = await fetch(`${target}${request.url}`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        'idempotency-key': String(key),
      },
      body: Buffer.concat(chunks),
    });
    const body = await answered.text();
    if (keys.length === 1) response.destroy();
    else response.writeHead(answered.status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    keys,
    stop: () => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}

const LISTS = `
import json, sys, trawl
with open(sys.argv[1], encoding="utf-8") as file:
    answers = json.load(file)
print(json.dumps([
    {
        "rows": trawl.rows_of(answer),
        "pages": trawl.pages_of(answer),
        "merged": trawl.merged(answer),
        "failures": trawl.failures(answer),
        "warnings": trawl.warnings_of(answer),
    }
    for answer in answers
]))
`;

const warnings = fc.array(
  fc.record({ code: fc.constantFrom('a', 'b'), message: fc.constantFrom('one', 'two') }),
  { maxLength: 3 },
);
const text = fc.option(fc.constantFrom('', 'text', 'é€😀'));
const rows = fc.array(
  fc.record(
    {
      url: fc.constantFrom('https://a.example', 'https://b.example', 'https://c.example'),
      title: text,
      rank: fc.integer({ min: 1, max: 6 }),
      summary: text,
      excerpt: text,
      publish_date: text,
      source: fc.constant({ domain: 'a.example', author: null }),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 6 },
);
const error = {
  code: 'timeout',
  message: 'it did not answer',
  provider: 'alpha',
  http_status: null,
  retryable: true,
  retry_after_ms: null,
};
const runs = fc
  .record({
    name: fc.constantFrom('alpha', 'beta', 'gamma'),
    batch_index: fc.integer({ min: 0, max: 2 }),
    query: fc.constantFrom('tides', 'waves', ''),
    rows: fc.option(rows),
    warnings,
  })
  .map(({ name, rows: found, warnings: given, ...place }) => {
    const output = { ...withRows(found ?? []).output_payload, warnings: given };
    return searchRun({
      ...place,
      preprocessor_name: name,
      ...(found === null
        ? { status: 'failed', output_payload: null, error: { ...error, warnings: given } }
        : { output_payload: output }),
    });
  });
const searchAnswers = fc
  .array(runs, { maxLength: 6 })
  .map((each) => answer(...each.map((run, index) => ({ ...run, id: `run-${index}` }))));
const fetchAnswers = fc
  .array(
    fc.oneof(
      warnings.map((given) => page({ warnings: given })),
      fc.constant(failedPage('https://gone.example', 'not_found')),
    ),
    { maxLength: 4 },
  )
  .map((pages) => answer(fetchRun(pages)));
