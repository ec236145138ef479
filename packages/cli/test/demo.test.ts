import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fully } from '@trawl/test-support/form';
import { runProgram } from '@trawl/test-support/program';
import { expect, onTestFinished, test } from 'vitest';

/** A demo that ends by itself, which ends its process too. */
const demo = (...args: string[]) =>
  runProgram({ args: ['demo', ...args], settings: { PORT: '0' }, folder: tmpdir() });

/** `npm run demo` without npm in between. */
function startDemo(...args: string[]): {
  child: ChildProcessWithoutNullStreams;
  output: () => string;
} {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'demo', ...args], {
    env: { ...process.env, PORT: '0' },
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  return { child, output: () => text };
}

async function printed(child: ChildProcessWithoutNullStreams, output: () => string, words: string) {
  while (!output().includes(words)) await once(child.stdout, 'data');
}

/** Signs in to the demo's console as its sign-in page does, and finds what was recorded. */
async function signIn(output: string): Promise<void> {
  const [, console] = /: (http\S+)\/console$/m.exec(output) ?? [];
  const base = `${console}/console/api`;
  const state = (await (await fetch(`${base}/state`)).json()) as { demo: Record<string, string> };
  expect(state).toMatchObject({ needs_setup: false, demo: { email: 'demo@example.com' } });
  const { email, password } = state.demo;
  const signedIn = await fetch(`${base}/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: String(console) },
    body: JSON.stringify({ email, password }),
  });
  const [cookie = ''] = signedIn.headers.getSetCookie();
  const headers = { cookie: cookie.split(';')[0] ?? '' };
  const { projects } = (await (await fetch(`${base}/session`, { headers })).json()) as {
    projects: readonly { id: string; name: string }[];
  };
  const demo = projects.find(({ name }) => name === 'demo');
  const list = await fetch(`${base}/projects/${demo?.id}/v1/sessions`, { headers });
  const { sessions } = (await list.json()) as { sessions: readonly unknown[] };
  expect(sessions.length).toBeGreaterThan(5);
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const LIMIT_MS = 60_000;

test(
  'demo --once shows in twenty lines providers, one list, a checked quote, a page and the price',
  async () => {
    const { code, stdout: text } = await demo('--once');
    expect(code).toBe(0);
    expect(text).toMatch(/^SIMULATED: /);
    expect(text.trim().split('\n').length).toBeLessThanOrEqual(20);
    expect(text).toMatch(/^3 providers at once: "tidal power plants"$/m);
    expect(text.match(/^ {2}\w+ +\d+ ms {2}\$0\.\d+ {2}\S/gm)).toHaveLength(3);
    expect(text).toMatch(/^ {2}1 {2}.* \(\w+ #\d, \w+ #\d/m);
    expect(text).toMatch(/^ {2}exact +"/m);
    expect(text).toMatch(/^ {2}near +".*", 4 letters differ from the record$/m);
    expect(text).toMatch(/^ {2}\w+ +\d+ ms, \d+ characters of markdown: https:/m);
    expect(text).toMatch(/The price, known before the calls: search \$0\.\d+, page \$0\.\d+\./);
    // the server is gone
    expect(text).not.toMatch(/http:\/\/127|tk_|Serving/);
  },
  LIMIT_MS,
);

fully('demo --all asks every simulated provider', async () => {
  const { code, stdout } = await demo('--once', '--all');
  expect(code).toBe(0);
  const [, count] = /^(\d+) providers at once/m.exec(stdout) ?? [];
  expect(Number(count)).toBeGreaterThan(20);
});

test(
  'demo refuses a port that is taken, and a wrong one',
  async () => {
    const taken = createServer();
    const port = await portOf(taken);
    expect((await demo('--once', '--port', String(port))).code).toBe(1);
    taken.close();
    await once(taken, 'close');
    expect((await demo('--port', 'many')).code).toBe(2);
  },
  LIMIT_MS,
);

test(
  'demo keeps serving on the given port: its key works, its console is its last line, and Ctrl-C ends it',
  async () => {
    const free = createServer();
    const port = await portOf(free);
    free.close();
    await once(free, 'close');
    const { child, output } = startDemo('--port', String(port));
    onTestFinished(() => void child.kill('SIGKILL'));
    await printed(child, output, 'Serving until Ctrl-C');
    const last = output().trim().split('\n').at(-1);
    expect(last).toMatch(new RegExp(`http://127\\.0\\.0\\.1:${port}/console$`));
    const [, url = '', key] = /SERVICE_BASE_URL=(\S+) SERVICE_API_KEY=(\S+)/.exec(output()) ?? [];
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${url}/v1/search`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ user_input: { query: 'heat pumps' } }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: 'succeeded' });
    const mcp = new Client({ name: 'test', version: '1' });
    const requestInit = { headers };
    await mcp.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    expect((await mcp.listTools()).tools.map(({ name }) => name)).toContain('web_search');
    await mcp.close();
    await signIn(output());
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  },
  LIMIT_MS,
);
