import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { overHttp, ROOT } from '@trawl/test-support/mcp-hosts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const KEY = 'tk_set-up-0123456789abcdefghijklmnopqrstuv';

interface Started {
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs `trawl serve` in an empty folder. */
async function startServe(): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-mcp-'));
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['scripts/run.mjs', 'serve'], {
    cwd: ROOT,
    env: { PATH, PORT: '0', DATA_DIR: folder, BOOTSTRAP_API_KEY: KEY },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, url } = JSON.parse(line);
    if (msg === 'listening') {
      child.stdout.resume();
      return { url, stop };
    }
  }
  throw new Error('the server ended before it listened');
}

let server: Started;
beforeAll(async () => {
  server = await startServe();
});
afterAll(() => server.stop());

interface Entry {
  readonly command?: string;
  readonly args?: string[];
  readonly env?: Record<string, string>;
  readonly url?: string;
  readonly headers?: Record<string, string>;
}

const page = readFileSync(new URL('docs/mcp.md', `file://${ROOT}`), 'utf8');
const snippets = [...page.matchAll(/### (.+)\n[^#]*?```json\n([\s\S]*?)```/g)].map(
  ([, host = '', text = '']) => [host, text] as const,
);

/** Fills in what the host or the reader replaces. */
const filled = (text: string): string =>
  text
    .replaceAll('/path/to/trawl', ROOT.replace(/\/$/, ''))
    .replaceAll('http://127.0.0.1:8080', server.url)
    .replaceAll(/\$\{(?:env:|input:)?[\w-]+\}|tk_…/g, KEY);

describe('set-up of hosts', () => {
  test('the page has one for each host', () => {
    const hosts = ['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code'];
    expect(snippets.map(([host]) => host)).toEqual(hosts);
  });

  test.each(snippets)('%s: the snippet of the page connects to trawl serve', async (_, text) => {
    const { mcpServers, servers } = JSON.parse(filled(text));
    await expectConnected((mcpServers ?? servers).trawl);
  });
});

describe('trawl mcp install', () => {
  let home: string;
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'trawl mcp é '));
  });
  afterAll(() => rmSync(home, { recursive: true }));

  const FILES: readonly (readonly [string, string])[] = [
    ['claude-code', '.claude.json'],
    ['claude-desktop', '.config/Claude/claude_desktop_config.json'],
    ['cursor', '.cursor/mcp.json'],
    ['vscode', '.config/Code/User/mcp.json'],
  ];
  test.runIf(process.platform === 'linux').each(FILES)(
    'the entry for %s connects to trawl serve',
    async (name, file) => {
      const args = ['mcp', 'install', '--client', name, '--url', `${server.url}/mcp`];
      const { PATH } = process.env;
      execFileSync(process.execPath, ['scripts/run.mjs', ...args], {
        cwd: ROOT,
        env: { PATH, HOME: home },
        stdio: 'ignore',
      });
      if (name === 'claude-desktop') {
        writeFileSync(join(home, '.config/trawl/mcp.env'), `SERVICE_API_KEY=${KEY}\n`);
      }
      const { mcpServers, servers } = JSON.parse(filled(readFileSync(join(home, file), 'utf8')));
      await expectConnected((mcpServers ?? servers).trawl);
    },
  );
});

/** Connects as a host does, to the server that this test started, and uses a tool. */
async function expectConnected({ command, args = [], env = {}, url = '', headers = {} }: Entry) {
  const { PATH = '' } = process.env;
  const transport = command
    ? new StdioClientTransport({ command, args, env: { PATH, ...env } })
    : new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const client = new Client({ name: 'test-host', version: '1.0.0' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const unknown = { session_id: '0190a0a0-0000-7000-8000-000000000000' };
  const { content } = await client.callTool({ name: 'search_history', arguments: unknown });
  await client.close();
  expect(tools).toHaveLength(3);
  // the server was reached, with a good key
  expect(JSON.stringify(content)).toContain('404');
}

test('trawl serve has the version of the project at /mcp', async () => {
  const host = await overHttp({ url: server.url, key: KEY });
  const { version } = JSON.parse(readFileSync(new URL('package.json', `file://${ROOT}`), 'utf8'));
  expect(host.getServerVersion()).toMatchObject({ name: 'trawl', version });
  await host.close();
});
