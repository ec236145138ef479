import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';

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

/** Signs in to the demo's console with what it printed, and finds what it recorded. */
async function signIn(output: string): Promise<void> {
  const [, console] = /(http\S+)\/console$/m.exec(output) ?? [];
  const [, email, password] = /sign in as (\S+) with the password (\S+)/.exec(output) ?? [];
  const base = `${console}/console/api`;
  const state = await (await fetch(`${base}/state`)).json();
  expect(state).toMatchObject({ needs_setup: false, demo: { email, password } });
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

const LIMIT_MS = 60_000;

test(
  'demo --once says clearly that it simulates, shows rows, warnings, latency and cost, and exits with 0',
  async () => {
    const { child, output } = startDemo('--once');
    const [code] = await once(child, 'exit');
    const text = output();
    expect(code).toBe(0);
    expect(text).toContain('SIMULATED PROVIDERS');
    expect(text).toMatch(/│ exa +│ 1 +│/);
    expect(text).toMatch(/│ brave +│ 1 +│/);
    expect(text).toMatch(/^"node 20 permission model": \d+ rows of \d+ providers/m);
    expect(text).toMatch(/exa: succeeded, \d+ ms, \$0\.0070 reported by the provider/);
    expect(text).toMatch(/brave: succeeded, \d+ ms, \$0\.0050 by its price list/);
    expect(text).not.toContain('warning capability_gap');
    expect(text.match(/^\d+ gaps: .*full_content.*capability_gap/gm)).toHaveLength(1);
    const [searches = '', fetches = ''] = text.split('POST /v1/fetch');
    expect(searches).not.toContain('failed:');
    expect(fetches).toMatch(/second-choice.*tinyfish upstream_error, firecrawl \d+ ms/);
    expect(fetches).toMatch(/missing .*failed: not_found/);
    expect(fetches).toMatch(/\/article +│ direct +│ \d+ +│ direct \d+ ms/);
    expect(fetches).toMatch(/\/pdf +│ direct +│ \d+ +│/);
    expect(fetches.match(/failed:/g)).toHaveLength(1);
    expect(fetches).toContain('as markdown:');
  },
  LIMIT_MS,
);

test(
  'demo listens on the given port, and refuses a wrong one',
  async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const busy = startDemo('--once', '--port', String(port));
    expect(await once(busy.child, 'exit')).toEqual([1, null]);
    taken.close();
    await once(taken, 'close');
    const free = startDemo('--once', '--port', String(port));
    expect(await once(free.child, 'exit')).toEqual([0, null]);
    expect(free.output()).toContain(`http://127.0.0.1:${port}/v1/search`);
    const wrong = startDemo('--port', 'many');
    expect(await once(wrong.child, 'exit')).toEqual([2, null]);
  },
  LIMIT_MS,
);

test(
  'demo keeps serving: its curl command works, and Ctrl-C ends it',
  async () => {
    const { child, output } = startDemo();
    await printed(child, output, 'Serving until Ctrl-C');
    const [, url] = /curl -s (\S+) \\/.exec(output()) ?? [];
    const [, key] = /Authorization: Bearer (\S+)'/.exec(output()) ?? [];
    const [, body] = /-d '(.+)'/.exec(output()) ?? [];
    const answer = await fetch(String(url), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: String(body),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: 'succeeded' });
    const [, tools] = /MCP .* (http\S+\/mcp) /.exec(output()) ?? [];
    const mcp = new Client({ name: 'test', version: '1' });
    const headers = { authorization: `Bearer ${key}` };
    await mcp.connect(
      new StreamableHTTPClientTransport(new URL(String(tools)), { requestInit: { headers } }),
    );
    expect((await mcp.listTools()).tools.map(({ name }) => name)).toContain('web_search');
    await mcp.close();
    const [, readBack] = /'(http\S+interactions\?\S+)'/.exec(output()) ?? [];
    const read = await fetch(String(readBack), { headers: { authorization: `Bearer ${key}` } });
    expect(read.status).toBe(200);
    await signIn(output());
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
  },
  LIMIT_MS,
);
