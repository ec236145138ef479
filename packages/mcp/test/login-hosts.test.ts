import type { Browser } from '@trawl/test-support/console-server';
import {
  askFor,
  callTool,
  decide,
  documentsOf,
  type LoginServer,
  movesTo,
  sendForm,
  startLoginServer,
} from '@trawl/test-support/logins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What a host sends, as far as public sources show it. */
interface Host {
  readonly name: string;
  readonly source: string;
  /** The address of its document; absent = an operator enters it. */
  readonly document?: string;
  readonly registered: readonly string[];
  readonly redirect: string;
  /** Whether a page in a browser makes the requests, with a preflight before each. */
  readonly isPage?: boolean;
  /** What its document says besides. */
  readonly says?: object;
  /** What it adds to the request of a code. */
  readonly adds?: Readonly<Record<string, string>>;
}

const HOSTS: readonly Host[] = [
  {
    name: 'claude.ai',
    source:
      'https://claude.com/docs/connectors/building/authentication, https://github.com/anthropics/claude-ai-mcp/issues/313',
    document: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    registered: ['https://claude.ai/api/mcp/auth_callback'],
    redirect: 'https://claude.ai/api/mcp/auth_callback',
  },
  {
    name: 'Claude Code',
    source: 'https://github.com/anomalyco/opencode/issues/25961',
    document: 'https://claude.ai/oauth/claude-code-client-metadata',
    registered: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    redirect: 'http://localhost:54212/callback',
  },
  {
    name: 'ChatGPT',
    source:
      'https://developers.openai.com/plugins/build/auth#client-registration, https://developers.openai.com/plugins/changelog',
    document: 'https://chatgpt.com/oauth/client.json',
    registered: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    redirect: 'https://chatgpt.com/connector_platform_oauth_redirect',
    // it can prove itself, and need not
    says: {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
  },
  {
    name: 'Codex',
    source: 'https://github.com/anomalyco/opencode/pull/47737',
    document: 'https://chatgpt.com/oauth/codex/client.json',
    registered: ['http://127.0.0.1/callback', 'http://localhost/callback'],
    redirect: 'http://127.0.0.1:41999/callback',
  },
  {
    name: 'VS Code',
    source:
      'https://github.com/microsoft/vscode/issues/282472, src/vs/base/common/oauth.ts of microsoft/vscode',
    document: 'https://vscode.dev/oauth/client-metadata.json',
    registered: ['http://127.0.0.1:33418', 'https://vscode.dev/redirect'],
    redirect: 'http://127.0.0.1:33418/',
  },
  {
    name: 'opencode',
    source: 'https://github.com/anomalyco/opencode/pull/47737',
    document: 'https://opencode.ai/oauth/opencode/client.json',
    registered: ['http://127.0.0.1/callback', 'http://localhost/callback'],
    redirect: 'http://127.0.0.1:19876/callback',
    adds: { prompt: 'consent' },
  },
  {
    name: 'Cursor',
    source: 'https://github.com/makeplane/plane-mcp-server/issues/159',
    registered: [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
    ],
    redirect: 'cursor://anysphere.cursor-mcp/oauth/callback',
  },
  {
    name: 'the inspector',
    source: 'https://github.com/modelcontextprotocol/inspector',
    registered: ['http://localhost:6274/oauth/callback'],
    redirect: 'http://localhost:6274/oauth/callback',
    isPage: true,
  },
];

describe.each(HOSTS)('$name, from the first 401 to a recorded search', (host) => {
  let server: LoginServer;
  let person: Browser;
  beforeAll(async () => {
    const { document, registered, name } = host;
    const named = { client_id: document ?? '', client_name: name, redirect_uris: registered };
    const about = { ...named, ...host.says };
    server = await startLoginServer({ readDocument: documentsOf([about]) });
    person = await server.person('admin');
    if (document !== undefined) return;
    const client = { id: 'entered', name, redirectUris: registered, createdAt: '2026-01-01' };
    await server.server.store.logins.addClient(client);
  });
  afterAll(() => server.stop());

  const page = host.isPage ? { origin: 'http://localhost:6274' } : {};
  /** A document that the 401 or another document names. */
  const found = async (url: string) => {
    const { pathname } = new URL(url);
    if (host.isPage) await preflight(pathname, 'GET');
    const headers = { accept: 'application/json', 'mcp-protocol-version': '2026-07-28', ...page };
    const answer = await server.call('GET', pathname, { key: null, headers });
    expect([pathname, answer.status]).toEqual([pathname, 200]);
    return answer.json;
  };
  const preflight = async (path: string, method: string) => {
    const asked = { 'access-control-request-method': method, ...page };
    const wanted = { 'access-control-request-headers': 'mcp-protocol-version,content-type' };
    const headers = { ...asked, ...wanted };
    const answer = await server.call('OPTIONS', path, { key: null, headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  };

  it(`works (${host.source})`, async () => {
    const first = await callTool(server, null);
    expect(first.status).toBe(401);
    const challenge = first.headers.get('www-authenticate') ?? '';
    const named = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
    const resource = await found(named);
    const about = await found(
      `${resource.authorization_servers[0]}/.well-known/oauth-authorization-server`,
    );
    expect(about.issuer).toBe(resource.authorization_servers[0]);
    // Claude and opencode name themselves by a document only where both are there
    expect(about.client_id_metadata_document_supported).toBe(true);
    expect(about.token_endpoint_auth_methods_supported).toContain('none');

    const client = host.document ?? 'entered';
    const { verifier, query } = askFor({
      ...{ client_id: client, redirect_uri: host.redirect },
      ...{ scope: resource.scopes_supported.join(' '), resource: resource.resource },
      ...host.adds,
    });
    const { pathname } = new URL(about.authorization_endpoint);
    const consent = await person.call('GET', `${pathname}?${query}`);
    const back = movesTo((await decide(person, consent.text)).text);
    expect(back.href.startsWith(host.redirect)).toBe(true);
    expect(back.searchParams.get('iss')).toBe(about.issuer);

    const token = new URL(about.token_endpoint).pathname;
    if (host.isPage) await preflight(token, 'POST');
    const tokens = await sendForm(
      server,
      {
        ...{ grant_type: 'authorization_code', code: back.searchParams.get('code') ?? '' },
        ...{ code_verifier: verifier, redirect_uri: host.redirect, client_id: client },
        resource: resource.resource,
      },
      token,
    );
    expect(tokens.json).toMatchObject({ token_type: 'Bearer', expires_in: 3_600 });

    const searched = await callTool(server, tokens.json.access_token);
    expect(searched.status).toBe(200);
    const [login] = (await person.call('GET', '/console/api/account/logins')).json.logins;
    const { json } = await person.call('GET', server.path(`/keys/${login.id}`));
    expect(json.calls[0]).toMatchObject({ outcome: 'succeeded' });
    expect(json.key.created_by.name).toContain('The admin');

    const renewed = await sendForm(
      server,
      {
        ...{ grant_type: 'refresh_token', refresh_token: tokens.json.refresh_token },
        ...{ client_id: client, resource: resource.resource },
      },
      token,
    );
    expect((await callTool(server, renewed.json.access_token)).status).toBe(200);
  });
});
