import { createDeployment } from '@trawl/router';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { deploymentWarnings } from '../../src/config/deployment-warnings.ts';
import { rawRequest } from './raw-client.ts';

const mount = {
  path: '/mcp',
  permissions: ['search'],
  open: () => ({
    fetch: async () => new Response('served'),
    close: async () => undefined,
  }),
} as const;

describe.each<[string, Record<string, string>, accepted: string[], refused: string[]]>([
  [
    'without settings',
    {},
    ['localhost', '127.0.0.1:1234', '[::1]:8080', 'LOCALHOST'],
    ['evil.example', 'localhost.evil.example', '192.0.2.1', 'my-laptop', ''],
  ],
  [
    'with PUBLIC_URL',
    { PUBLIC_URL: 'https://Trawl.example.com:8443/' },
    ['trawl.example.com', 'trawl.example.com:443', 'localhost'],
    ['example.com', 'x.trawl.example.com'],
  ],
  [
    'with ALLOWED_HOSTS',
    { PUBLIC_URL: 'https://trawl.example.com', ALLOWED_HOSTS: 'trawl.lan, fd00::1,192.0.2.1' },
    ['trawl.lan:8080', '[fd00::1]', '192.0.2.1'],
    ['trawl.example.com', 'localhost'],
  ],
])('/mcp %s', (_name, env, accepted, refused) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ env, mounts: [mount] });
  });
  afterAll(() => server.stop());

  const ask = (host: string, ...headers: string[]) =>
    rawRequest(
      server.server.port,
      [
        'POST /mcp HTTP/1.1',
        `Host: ${host}`,
        `Authorization: Bearer ${server.key}`,
        'Content-Length: 0',
        ...headers,
        '\r\n',
      ].join('\r\n'),
    );

  test.each(accepted)('can be reached as "%s"', async (host) => {
    expect((await ask(host))?.status).toBe(200);
  });

  test.each(refused)('cannot be reached as %s, and the answer names the setting', async (host) => {
    const answer = await ask(host);
    expect(answer?.status).toBe(403);
    expect(JSON.parse(answer?.body ?? '').detail).toMatch(/^Host ".*ALLOWED_HOSTS/);
  });

  test('accepts requests of its own pages and of programs, not of pages of other sites', async () => {
    const [host = ''] = accepted;
    const name = host.replace(/:\d+$/, '');
    expect((await ask(host, `Origin: http://${name}:3000`))?.status).toBe(200);
    expect((await ask(host, 'Origin: vscode-webview://abc'))?.status).toBe(200);
    for (const origin of [
      'https://evil.example',
      'null',
      'http://',
      `http://${name}.evil.example`,
    ]) {
      const answer = await ask(host, `Origin: ${origin}`);
      expect(answer?.status, origin).toBe(403);
      expect(JSON.parse(answer?.body ?? '').detail).toMatch(/^Origin ".*ALLOWED_HOSTS/);
    }
  });
});

describe('ALLOWED_HOSTS', () => {
  it.each(['https://a.example', 'a.example:80', '[::1]:80', 'a/b', 'a b', '*', 'u@a', ','])(
    'that is %s stops the start',
    (text) => {
      expect(() => readConfig({ ALLOWED_HOSTS: text })).toThrow(
        'ALLOWED_HOSTS must be a comma list of host names without scheme, port or path',
      );
    },
  );
});

describe('the start', () => {
  const warnings = (env: Record<string, string>) => {
    const config = readConfig(env);
    return deploymentWarnings(config, createDeployment(config)).filter((line) =>
      line.includes('/mcp'),
    );
  };

  it('warns that other machines cannot use /mcp while no name is set for them', () => {
    expect(warnings({ HOST: '0.0.0.0' })).toEqual([
      "HOST lets other machines in, but /mcp answers only to localhost, 127.0.0.1, [::1]: set PUBLIC_URL, or list the server's names in ALLOWED_HOSTS",
    ]);
    expect(warnings({ HOST: '::', ALLOWED_HOSTS: 'localhost' })).toHaveLength(1);
  });

  it.each<Record<string, string>>([
    {},
    { HOST: '::1' },
    { HOST: '[::1]' },
    { HOST: 'localhost' },
    { HOST: '0.0.0.0', PUBLIC_URL: 'https://trawl.example.com' },
    { HOST: '0.0.0.0', ALLOWED_HOSTS: 'trawl.lan' },
  ])('does not warn with %o', (env) => {
    expect(warnings(env)).toEqual([]);
  });
});
