import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../packages/server/test/support/harness.ts';
import { ROOT, readBlocks } from './blocks.ts';

const PAGE = 'docs/python.md';
const run = promisify(execFile);

const program = readBlocks(PAGE, readFileSync(join(ROOT, PAGE), 'utf8'))
  .filter(({ language }) => language === 'python')
  .map(({ text }) => text)
  .join('\n\n\n');

const hasPython = (() => {
  try {
    execFileSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']);
    return true;
  } catch {
    return false;
  }
})();

describe(`the program of docs/python.md${hasPython ? '' : ' (skipped: needs python3, 3.10 or newer)'}`, () => {
  let server: TestServer;
  let folder: string;
  beforeAll(async () => {
    server = await startTestServer();
    folder = mkdtempSync(join(tmpdir(), 'trawl-docs-python-'));
    writeFileSync(join(folder, 'program.py'), program);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await server.stop();
  });
  beforeEach(() => {
    server.sandbox.clearCalls();
    server.sandbox.clearFaults();
  });

  const output = async (baseUrl = server.url): Promise<readonly string[]> => {
    const env = { PATH: process.env.PATH, SERVICE_BASE_URL: baseUrl, SERVICE_API_KEY: server.key };
    const options = { cwd: folder, env, timeout: 120_000 };
    const { stdout, stderr } = await run('python3', ['program.py'], options);
    expect(stderr).toBe('');
    return stdout.trimEnd().split('\n');
  };

  const LINES = [
    /^exa 1 .+ https:\/\//,
    /^exa 2 /,
    /^brave 1 /,
    /^brave 2 /,
    /^brave: capability_gap: /,
    /^https:\/\/news\.example\.com\/a-page .+ \d+ characters$/,
    /^https:\/\/news\.example\.com\/missing failed: not_found$/,
    /^422 invalid_url 422: \S/,
    /^422: body\.user_input\.\S*query: \S/,
    /^422 \['body', .*'query'\] /,
    /^[0-9a-f-]{36} succeeded$/,
  ];

  test.runIf(hasPython)(
    'searches, fetches, reads errors and a session',
    { timeout: 150_000 },
    async () => {
      const lines = await output();
      for (const line of LINES) expect(lines).toContainEqual(expect.stringMatching(line));
      expect(lines.filter((line) => line.endsWith('succeeded'))).toHaveLength(2);
    },
  );

  /** How the program ends when it cannot start. */
  const complaint = async (env: Readonly<Record<string, string>>): Promise<unknown> => {
    const options = {
      cwd: folder,
      env: { PATH: process.env.PATH, SERVICE_BASE_URL: server.url, ...env },
      timeout: 120_000,
    };
    return run('python3', ['program.py'], options).catch((error: unknown) => error);
  };

  test.runIf(hasPython)('says that the key is missing', { timeout: 150_000 }, async () => {
    const expected = { code: 1, stdout: '', stderr: 'SERVICE_API_KEY is not set\n' };
    expect(await complaint({})).toMatchObject(expected);
  });

  test.runIf(hasPython)(
    'reports that the server cannot be reached',
    { timeout: 150_000 },
    async () => {
      // nothing listens on port 1
      const SERVICE_BASE_URL = 'http://127.0.0.1:1';
      const ended = await complaint({ SERVICE_BASE_URL, SERVICE_API_KEY: server.key });
      const stderr = expect.stringMatching(
        /^no connection to http:\/\/127\.0\.0\.1:1: .+ Is the server running\?\n$/,
      );
      expect(ended).toMatchObject({ code: 1, stdout: '', stderr });
    },
  );

  test.runIf(hasPython)('names a provider that failed', { timeout: 150_000 }, async () => {
    server.sandbox.inject('brave', 'status=500');
    expect(await output()).toContainEqual(expect.stringMatching(/^brave failed: upstream_error: /));
  });

  test.runIf(hasPython)(
    'pays once for a call whose answer was lost',
    { timeout: 150_000 },
    async () => {
      const keys: string[] = [];
      // passes requests on, and drops the first answer to a search
      const lossy = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const { method = '', url = '', headers } = request;
        const { authorization = '', 'idempotency-key': key } = headers;
        const answer = await fetch(`${server.url}${url}`, {
          method,
          headers: {
            authorization,
            'content-type': 'application/json',
            ...(key === undefined ? {} : { 'idempotency-key': String(key) }),
          },
          body: method === 'POST' ? Buffer.concat(chunks) : null,
        });
        const body = await answer.text();
        if (url === '/v1/search') keys.push(String(key));
        if (keys.length === 1 && url === '/v1/search') response.destroy();
        else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
      });
      await new Promise<void>((resolve) => lossy.listen(0, '127.0.0.1', resolve));
      const { port } = lossy.address() as AddressInfo;
      try {
        const lines = await output(`http://127.0.0.1:${port}`);
        for (const line of LINES) expect(lines).toContainEqual(expect.stringMatching(line));
      } finally {
        lossy.close();
        lossy.closeAllConnections();
      }
      expect(keys[0]).toBe(keys[1]);
      const searched = server.sandbox.calls.filter(({ vendor }) => vendor === 'exa');
      expect(searched).toHaveLength(1);
    },
  );
});
