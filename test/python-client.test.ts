import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type FetchAnswer,
  failures,
  merged,
  pagesAsPrompt,
  pagesOf,
  rowsOf,
  type SearchAnswer,
  Trawl,
  warningsOf,
} from '@trawl/client';
import type { FetchToolOptions, SearchToolOptions } from '@trawl/client/ai-sdk';
import { webFetchTool, webSearchTool } from '@trawl/client/langchain';
import { fetchAsText, searchAsText } from '@trawl/client/text';
import {
  answer,
  failedPage,
  fetchRun,
  page,
  searchRun,
  withRows,
} from '@trawl/test-support/client-answers';
import { answers, startStub } from '@trawl/test-support/client-stub';
import { byForm } from '@trawl/test-support/form';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { HAS_WHEEL_TOOLS, python } from '@trawl/test-support/python';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../scripts/source-files.mjs';
import { packWheel } from '../scripts/wheel.ts';
import { fetchedAnswers, foundAnswers } from './support/answers-for-texts.ts';

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

  test('the wheel has the types and the extras, and no test', () => {
    const files = readdirSync(join(folder, 'site'), { recursive: true, encoding: 'utf8' });
    expect(files).toContain('trawl/py.typed');
    expect(files).toContain('trawl/types.py');
    expect(files.filter((name) => name.includes('test'))).toEqual([]);
    expect(files.filter((name) => name.includes('stand_ins'))).toEqual([]);
    const about = files.find((name) => name.endsWith('METADATA')) ?? '';
    const metadata = readFileSync(join(folder, 'site', about), 'utf8');
    const extras = [...metadata.matchAll(/^Provides-Extra: (.*)$/gm)].map(([, extra]) => extra);
    expect(extras).toEqual(['langchain', 'llamaindex']);
    const licence = files.find((name) => name.endsWith('LICENSE')) ?? '';
    const ours = readFileSync(join(ROOT, 'LICENSE'), 'utf8');
    expect(readFileSync(join(folder, 'site', licence), 'utf8')).toBe(ours);
  });

  test('the example of its page prints rows', async () => {
    const page = readFileSync(join(SOURCES, 'README.md'), 'utf8');
    const [, example = ''] = /```python\n([\s\S]*?)```/.exec(page) ?? [];
    expect(example).toContain('https://trawl.example.com');
    const { stdout } = await python(
      ['-c', example.replace('https://trawl.example.com', server.url)],
      {
        cwd: folder,
        environment: { ...installed(), SERVICE_API_KEY: server.key },
      },
    );
    expect(stdout).toMatch(/^\w+ 1 .* https:\/\//);
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
    expect(stderr).toMatch(/^Ran [1-9]\d+ tests in /m);
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
    const sampled = [...fc.sample(searchAnswers, 60), ...fc.sample(fetchAnswers, 30), {}];
    const { json } = await server.search({
      user_input: [{ query: 'tidal power' }, { query: 'wave power' }],
      search: { tier: 'max', providers: { include: ['exa', 'brave', 'tavily'] } },
    });
    const path = join(folder, 'answers.json');
    writeFileSync(path, JSON.stringify([json, ...sampled]));
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

  /** Runs a program that makes JSON of a JSON file. */
  async function made(program: string, given: unknown): Promise<unknown> {
    const [from, to] = [join(folder, 'given.json'), join(folder, 'made.json')];
    writeFileSync(from, JSON.stringify(given));
    await python(['-c', program, from, to], { cwd: folder, environment: installed() });
    return JSON.parse(readFileSync(to, 'utf8'));
  }

  test('texts for a model are those of the TypeScript client', async () => {
    const search = {
      tier: 'max',
      providers: { include: ['exa', 'brave', 'tavily'] },
      economy: true,
      merge: true,
    };
    const { json: found } = await server.search({
      user_input: [{ query: 'tidal power' }, { query: 'wave power' }],
      search,
    });
    const urls = ['https://news.example.com/a-page', 'https://news.example.com/missing'];
    const options = { tier: 'extended', focus: { query: 'tides' } };
    const { json: read } = await server.fetch({ urls, options });
    expect(pagesOf(read as unknown as FetchAnswer)[0]?.passages).toBeDefined();
    const searches = [
      found as unknown as SearchAnswer,
      ...fc.sample(foundAnswers, byForm({ small: 8, full: 60 })),
    ];
    const fetches = [
      read as unknown as FetchAnswer,
      ...fc.sample(fetchedAnswers, byForm({ small: 30, full: 100 })),
    ];
    const sizes = [2_000, 2_777, 6_000, 40_000];
    const texts = sizes.map((maxCharacters) => ({
      searches: searches.map((each) =>
        searchAsText(each, { maxCharacters, withSession: true, rest: 'Ask 😀 less.' }),
      ),
      fetches: fetches.map((each) => fetchAsText(each, { maxCharacters, offset: 3 })),
      prompts: fetches.map((each) => {
        const { sources, ...prompt } = pagesAsPrompt(each, { maxCharacters });
        return {
          ...prompt,
          sources: sources.map(({ includedCharacters: included_characters, ...source }) => ({
            ...source,
            included_characters,
          })),
        };
      }),
    }));
    const [small] = texts;
    expect(small?.searches.some((text) => text.includes('Truncated to fit.'))).toBe(true);
    expect(small?.fetches.some((text) => text.includes('Truncated.'))).toBe(true);
    expect(small?.fetches.some((text) => /Note: page .*\n\nFAILED: /.test(text))).toBe(true);
    expect(await made(TEXTS, { searches, fetches, sizes })).toEqual(texts);
  });

  test('the tools send what those of the TypeScript client send', async () => {
    const filters = { country: 'DE', include_domains: ['a.example'] };
    const searches = [
      [{}, { query: 'tides' }],
      [
        { tier: 'max', num_results: 2 },
        { queries: ['tides', 'waves'], safe_search: 'off' },
      ],
      [{ num_results: 2 }, { query: 'tides', num_results: 5 }],
      [{ filters }, { query: 'tides', exclude_domains: ['b.example'], country: 'FR' }],
      [{ filters: { country: null } }, { query: 'tides', include_domains: ['b.example'] }],
      [{ filters: {} }, { query: 'tides', published_after: '2026-01-01' }],
    ] as [SearchToolOptions['search'], { query: string }][];
    const fetches = [
      [{}, { urls: ['https://a.example'] }],
      [
        { tier: 'max', inline_max_chars: 70 },
        { urls: ['https://a.example'], offset: 5 },
      ],
    ] as [FetchToolOptions['fetch'], { urls: string[] }][];
    const answered = { ...IDS, status: 'succeeded', preprocessor_runs: [] };
    const stub = await startStub(answers(200, answered));
    try {
      const client = new Trawl({ baseUrl: stub.url, apiKey: 'tk_x' });
      const options = { client, sessionId: 'own', maxCharacters: 5_000 };
      for (const [search, input] of searches)
        await webSearchTool({ ...options, search }).invoke(input);
      for (const [fetching, input] of fetches)
        await webFetchTool({ ...options, fetch: fetching }).invoke(input);
      await made(CALLS, { url: stub.url, searches, fetches });
      const bodies = stub.received.map(({ body }) => JSON.parse(body));
      const count = searches.length + fetches.length;
      expect(bodies).toHaveLength(2 * count);
      expect(bodies.slice(count)).toEqual(bodies.slice(0, count));
    } finally {
      await stub.stop();
    }
  });

  test('the tools have the names, descriptions and arguments of the TypeScript client', async () => {
    const tools = [webSearchTool(), webFetchTool()].map(({ name, description, schema }) => ({
      name,
      description,
      arguments: Object.keys(schema.shape),
    }));
    const inPython = (await made(TOOLS, {})) as { parameters: { properties: object } }[];
    const named = inPython.map(({ parameters, ...rest }) => ({
      ...rest,
      arguments: Object.keys(parameters.properties),
    }));
    expect(named).toEqual([...tools, ...tools]);
    const keywords = /anyOf|oneOf|allOf|\$ref|\$schema|format"|pattern"|additionalProperties/;
    expect(JSON.stringify(inPython)).not.toMatch(keywords);
  });
});

async function installWheel(folder: string): Promise<void> {
  packWheel(join(folder, 'wheels'));
  const [wheel = ''] = readdirSync(join(folder, 'wheels'));
  expect(wheel).toMatch(/^trawl_client-\d+\.\d+\.\d+-py3-none-any\.whl$/);
  const [file, site] = [join(folder, 'wheels', wheel), join(folder, 'site')];
  const install = ['pip', 'install', '--no-deps', '--no-index', '--quiet', '--target', site, file];
  // which is what pip does with this wheel, and takes a tenth of the time
  const unpack = ['zipfile', '-e', file, site];
  await python(['-m', ...byForm({ small: unpack, full: install })], { cwd: folder });
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

const IDS = { session_id: 'session-1', interaction_id: 'interaction-1' };

const CALLS = `
import json, sys, trawl
with open(sys.argv[1], encoding="utf-8") as file:
    given = json.load(file)
with trawl.Trawl(given["url"], "tk_x") as client:
    options = {"session_id": "own", "max_characters": 5_000}
    for search, arguments in given["searches"]:
        trawl.search_tool(client, search=search, **options).call(arguments)
    for fetch, arguments in given["fetches"]:
        trawl.fetch_tool(client, fetch=fetch, **options).call(arguments)
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(None, file)
`;

const TEXTS = `
import json, sys, trawl
with open(sys.argv[1], encoding="utf-8") as file:
    given = json.load(file)
made = [
    {
        "searches": [
            trawl.search_as_text(answer, max_characters=size, with_session=True, rest="Ask 😀 less.")
            for answer in given["searches"]
        ],
        "fetches": [
            trawl.fetch_as_text(answer, max_characters=size, offset=3) for answer in given["fetches"]
        ],
        "prompts": [
            trawl.pages_as_prompt(answer, max_characters=size) for answer in given["fetches"]
        ],
    }
    for size in given["sizes"]
]
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(made, file)
`;

const TOOLS = `
import json, sys, trawl
client = trawl.Trawl("http://127.0.0.1:1", "tk_x")
aio = trawl.AsyncTrawl("http://127.0.0.1:1", "tk_x")
tools = [
    trawl.search_tool(client),
    trawl.fetch_tool(client),
    trawl.async_search_tool(aio),
    trawl.async_fetch_tool(aio),
]
made = [
    {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    for tool in tools
]
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(made, file)
`;

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
