import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { HAS_PYTHON, PYTHON_SOURCES, python } from '@trawl/test-support/python';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROOT, readBlocks } from './blocks.ts';

const programOf = (page: string): string =>
  readBlocks(page, readFileSync(join(ROOT, page), 'utf8'))
    .filter(({ language }) => language === 'python')
    .map(({ text }) => text)
    .join('\n\n\n');

describe(`the programs of docs/python.md and docs/frameworks.md${HAS_PYTHON ? '' : ' (skipped: needs Python 3.9 or newer)'}`, () => {
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    server = await startTestServer();
    folder = mkdtempSync(join(tmpdir(), 'trawl-docs-python-'));
    writeFileSync(join(folder, 'program.py'), programOf('docs/python.md'));
    writeFileSync(join(folder, 'frameworks.py'), programOf('docs/frameworks.md'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await server.stop();
  });
  beforeEach(() => {
    server.sandbox.clearCalls();
    server.sandbox.clearFaults();
  });

  const output = async (file = 'program.py'): Promise<readonly string[]> => {
    const environment = {
      PYTHONPATH: PYTHON_SOURCES,
      SERVICE_BASE_URL: server.url,
      SERVICE_API_KEY: server.key,
    };
    const { stdout, stderr } = await python([file], { cwd: folder, environment });
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  };

  const LINES = [
    /^exa 1 .+ https:\/\//,
    /^exa 2 /,
    /^brave 1 /,
    /^brave 2 /,
    /^\d+x capability_gap: /,
    /^1 .+ https:\/\/.+ found by exa #1/,
    /^https:\/\/news\.example\.com\/a-page .+ \d+ characters$/,
    /^https:\/\/news\.example\.com\/missing failed: not_found$/,
    /^run of \w+ succeeded$/,
    /^done [0-9a-f-]{36}$/,
    /^[0-9a-f-]{36} (partially_)?succeeded$/,
    /^from settings: (partially_)?succeeded$/,
    /^turns sent: 1$/,
    /^text: Results from the web\. /,
    /^read: .*1 of 1 pages fetched\. session_id: /,
    /^prompt: True 1 (True|False)$/,
    /^tools: web_search web_fetch \['urls', 'offset'\]$/,
    /^tool: <results provider="exa" query="tidal power">$/,
    /^answered: succeeded$/,
    /^event: page$/,
    /^event: done$/,
    /^422 invalid_url urls\[0\] 422: \S/,
    /^plain HTTP: succeeded$/,
  ];

  test.runIf(HAS_PYTHON)(
    'searches, fetches, reads errors and a session',
    { timeout: 150_000 },
    async () => {
      const lines = await output();
      for (const line of LINES) expect(lines).toContainEqual(expect.stringMatching(line));
    },
  );

  test.runIf(HAS_PYTHON)('tools answer the calls of a model', { timeout: 150_000 }, async () => {
    const lines = await output('frameworks.py');
    expect(lines[0]).toBe("['web_search', 'web_fetch']");
    const expected = [
      /^<results provider="\w.*" query="tidal power">$/,
      /^Error: web_fetch has no argument "url": write "urls"$/,
      /^<source number="1" url="https:\/\/news\.example\.com\/a-page"/,
      /^tool: success succeeded Results from the web\. /,
      /^row: \w+ https:\/\/\S+ 1 True$/,
      /^https:\/\/news\.example\.com\/missing: not_found$/,
      /^page: https:\/\/news\.example\.com\/a-page \S/,
      /^tool: web_search Results from the web\. /,
      /^node: \w+ https:\/\/\S+ 1$/,
      /^document: https:\/\/news\.example\.com\/a-page \S/,
    ];
    for (const line of expected) expect(lines).toContainEqual(expect.stringMatching(line));
  });

  test.runIf(HAS_PYTHON)('names a provider that failed', { timeout: 150_000 }, async () => {
    // the one retry of each search comes at once
    server.sandbox.inject('brave', 'status=500,retry-after=0');
    expect(await output()).toContainEqual(expect.stringMatching(/^brave failed: upstream_error: /));
  });
});
