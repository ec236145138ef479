import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Browser } from '@trawl/test-support/console-server';
import { startTestServer } from '@trawl/test-support/harness';
import {
  APP,
  callTool,
  decide,
  type LoginServer,
  logIn,
  movesTo,
  startLoginServer,
} from '@trawl/test-support/logins';
import { mcpMount, textOf } from '@trawl/test-support/mcp-hosts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What a host keeps of a login, and how it opens a browser. */
function hostOf(redirectUrl: string, onRedirect: (url: URL) => void, clientId?: string) {
  const kept: Record<string, unknown> = clientId ? { client: { client_id: clientId } } : {};
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(clientId ? {} : { clientMetadataUrl: APP.client_id }),
    clientMetadata: {
      client_name: 'An app',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'a state',
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: onRedirect,
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => String(kept.verifier),
    saveDiscoveryState: (discovery) => void Object.assign(kept, { discovery }),
    discoveryState: () => kept.discovery as never,
  };
  return { provider, kept };
}

describe('the official client', () => {
  let server: LoginServer;
  beforeAll(async () => {
    server = await startLoginServer();
  });
  afterAll(() => server.stop());

  /** From the first 401 to a client that is connected, with a person at the browser. */
  async function connected(person: Browser, redirectUrl: string, clientId?: string) {
    const opened: URL[] = [];
    const { provider, kept } = hostOf(redirectUrl, (url) => void opened.push(url), clientId);
    const url = new URL('/mcp', server.issuer);
    const first = new StreamableHTTPClientTransport(url, { authProvider: provider });
    const client = () => new Client({ name: 'test-host', version: '1.0.0' });
    await expect(client().connect(first)).rejects.toThrow(/unauthorized/i);
    const [asked] = opened;
    if (!asked) throw new Error('no browser was opened');
    const page = await person.call('GET', `${asked.pathname}${asked.search}`);
    const back = movesTo((await decide(person, page.text)).text);
    await first.finishAuth(back.searchParams);
    const host = client();
    await host.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
    return { host, asked, kept };
  }

  it('logs in by its document, and its search is recorded under the login', async () => {
    const person = await server.person('admin');
    const { host, asked } = await connected(person, 'http://127.0.0.1:4711/callback');
    expect(asked.searchParams.get('resource')).toBe(`${server.issuer}/mcp`);
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
    const result = await host.callTool({
      name: 'web_search',
      arguments: { query: 'tidal power' },
    });
    expect(textOf(result as never)).toContain('session_id');
    const [{ id }] = (await person.call('GET', '/console/api/account/logins')).json.logins;
    const { json } = await person.call('GET', server.path(`/keys/${id}`));
    expect(json.key.last_used_at).not.toBeNull();
    expect(json.calls[0]).toMatchObject({ outcome: 'succeeded' });
    await host.close();
  });

  it('logs in with the id that an operator gave it', async () => {
    const redirectUris = ['https://own.example/callback'];
    const client = {
      id: 'own-client',
      name: 'Own',
      redirectUris,
      createdAt: new Date().toISOString(),
    };
    await server.server.store.logins.addClient(client);
    const person = await server.person('admin');
    const { host } = await connected(person, 'https://own.example/callback', 'own-client');
    expect((await host.listTools()).tools.map(({ name }) => name)).toContain('web_search');
    await host.close();
  });

  it('gets new tokens by itself when those that it has are over', async () => {
    const person = await server.person('admin');
    const { host, kept } = await connected(person, 'http://127.0.0.1:4712/callback');
    const before = kept.tokens as { access_token: string };
    Object.assign(kept, { tokens: { ...before, access_token: `${before.access_token}x` } });
    const result = await host.callTool({ name: 'search_history', arguments: {} });
    expect(result).toHaveProperty('content');
    expect((kept.tokens as typeof before).access_token).not.toBe(before.access_token);
    await host.close();
  });
});

describe('/mcp where people log in', () => {
  let server: LoginServer;
  beforeAll(async () => {
    server = await startLoginServer();
  });
  afterAll(() => server.stop());

  it('says in its 401 where one logs in', async () => {
    const none = await callTool(server, null);
    expect(none.status).toBe(401);
    expect(none.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${server.issuer}/.well-known/oauth-protected-resource/mcp", scope="search fetch read"`,
    );
    const wrong = await callTool(server, 'tk_wrong');
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('serves its metadata to pages of any site', async () => {
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
    ]) {
      const headers = { origin: 'https://inspector.example' };
      const {
        status,
        headers: sent,
        json,
      } = await server.call('GET', path, { key: null, headers });
      expect([path, status, sent.get('access-control-allow-origin')]).toEqual([path, 200, '*']);
      expect(sent.get('access-control-allow-credentials')).toBeNull();
      expect(json.resource ?? json.issuer).toContain(server.issuer);
    }
  });

  it('takes keys as before', async () => {
    expect((await callTool(server, server.key)).status).toBe(200);
  });

  it.each([
    ['web_fetch', { urls: ['https://example.com/'] }, 'fetch'],
    ['search_history', {}, 'read'],
    ['web_context', { query: 'x' }, 'fetch'],
  ])(
    'answers a login without the right to %s with 403 insufficient_scope',
    async (name, args, lacks) => {
      const { access } = await logIn(server, await server.person('admin'), { scope: 'search' });
      expect((await callTool(server, access)).status).toBe(200);
      const refused = await callTool(server, access, { name, args });
      expect(refused.status).toBe(403);
      const header = refused.headers.get('www-authenticate') ?? '';
      expect(header).toContain('error="insufficient_scope"');
      expect(header).toContain('scope="search fetch read"');
      expect(header).toContain(lacks);
    },
  );

  it('counts the requests of a login towards its own limit', async () => {
    const { access } = await logIn(server, await server.person('admin'));
    const answers = [];
    for (let count = 0; count < 62; count += 1) {
      answers.push(await callTool(server, access, { name: 'search_history', args: {} }));
    }
    expect(answers.at(-1)?.text).toContain('at most 60 a minute');
  });
});

it.each([
  ['off', { MCP_LOGIN: 'off', PUBLIC_URL: 'http://127.0.0.1:1' }, undefined],
  ['on without PUBLIC_URL', { MCP_LOGIN: 'on', PUBLIC_URL: undefined }, 'PUBLIC_URL is not set'],
  [
    'on with http on a public host',
    { MCP_LOGIN: 'on', PUBLIC_URL: 'http://trawl.example.com' },
    'begins with http:',
  ],
  ['on without the console', { MCP_LOGIN: 'on', CONSOLE: 'off' }, 'CONSOLE is off'],
])('none of its paths exists while login is %s', async (_what, env, says) => {
  const server = await startTestServer({
    mounts: [mcpMount()],
    env: { PUBLIC_URL: 'https://trawl.example.com', ...env },
  });
  for (const path of [
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/oauth-authorization-server',
    '/console/authorize',
    '/oauth/token',
    '/oauth/revoke',
  ]) {
    const method = path.startsWith('/oauth') ? 'POST' : 'GET';
    expect([path, (await server.call(method, path, { key: null })).status]).toEqual([path, 404]);
  }
  const { headers } = await callTool(server, null);
  expect(headers.get('www-authenticate')).not.toContain('resource_metadata');
  if (says === undefined) expect(server.logged()).not.toContain('MCP_LOGIN');
  else expect(server.logged()).toContain(says);
  await server.stop();
});
