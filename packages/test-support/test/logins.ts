import { createHash, randomBytes } from 'node:crypto';
import { type Browser, type ConsoleServer, startConsoleServer } from './console-server.ts';
import type { TestServerOptions } from './harness.ts';
import { freePort } from './loopback.ts';
import { mcpMount } from './mcp-hosts.ts';

/** A client with a document about itself. */
export const APP = {
  client_id: 'https://app.example/client.json',
  client_name: 'An app',
  redirect_uris: ['https://app.example/callback', 'http://127.0.0.1/callback'],
};
/** Another one. */
export const OTHER_APP = { ...APP, client_id: 'https://other.example/client.json' };

type ReadDocument = NonNullable<TestServerOptions['readDocument']>;

/** The documents of some sites, by their addresses. */
export const documentsOf =
  (documents: readonly { readonly client_id: string }[]): ReadDocument =>
  async (url) => {
    const found = documents.find(({ client_id }) => client_id === url.href);
    return found
      ? { text: JSON.stringify(found), freshSeconds: undefined }
      : { problem: 'it was answered with status 404' };
  };

/** The options of a server to which people log in, at the address that clients know. */
export async function loginOptions(options: TestServerOptions = {}) {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const env = { PORT: String(port), PUBLIC_URL: issuer, MCP_LOGIN: 'on', ...options.env };
  const readDocument = documentsOf([APP, OTHER_APP]);
  return { issuer, options: { readDocument, mounts: [mcpMount()], ...options, env } };
}

export type LoginServer = ConsoleServer & { readonly issuer: string };

export async function startLoginServer(given?: TestServerOptions): Promise<LoginServer> {
  const { issuer, options } = await loginOptions(given);
  return { ...(await startConsoleServer(options)), issuer };
}

export interface Asked {
  readonly verifier: string;
  readonly query: URLSearchParams;
}

/** A request of a client, as its browser is sent to authorize. undefined removes a parameter. */
export function askFor(change: Readonly<Record<string, string | undefined>> = {}): Asked {
  const verifier = randomBytes(32).toString('base64url');
  const parameters = {
    client_id: APP.client_id,
    redirect_uri: APP.redirect_uris[0],
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'a state',
    ...change,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.append(name, value);
  }
  return { verifier, query };
}

/** The fields of a form on a page, and the values of its list of projects. */
export function formOf(page: string): { readonly request: string; readonly projects: string[] } {
  const request = /name="request" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const projects = [...page.matchAll(/<option value="([^"]+)"/g)].map(([, id = '']) => id);
  return { request, projects };
}

/** Where a page moves on to. */
export function movesTo(page: string): URL {
  const found = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(page)?.[1] ?? '';
  return new URL(found.replaceAll('&amp;', '&').replaceAll('&#39;', "'"));
}

/** Sends the form of a page, as a click does. */
export const decide = (
  browser: Browser,
  page: string,
  { decision = 'allow', project = formOf(page).projects[0] ?? '' } = {},
) =>
  browser.call('POST', '/console/authorize', {
    rawBody: String(new URLSearchParams({ request: formOf(page).request, project, decision })),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

/** Sends a form to a route of tokens. */
export const sendForm = (
  server: Pick<ConsoleServer, 'call'>,
  form: Readonly<Record<string, string>>,
  path = '/oauth/token',
) =>
  server.call('POST', path, {
    key: null,
    rawBody: String(new URLSearchParams(form)),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

/** A person lets the app log in; the code that it is sent. */
export async function codeFor(
  browser: Browser,
  change: Readonly<Record<string, string | undefined>> = {},
): Promise<{ readonly code: string; readonly verifier: string; readonly back: URL }> {
  const { verifier, query } = askFor(change);
  const { text } = await browser.call('GET', `/console/authorize?${query}`);
  const back = movesTo((await decide(browser, text)).text);
  return { code: back.searchParams.get('code') ?? '', verifier, back };
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** A person lets the app log in, and the app gets its tokens. */
export async function logIn(
  server: Pick<ConsoleServer, 'call'>,
  browser: Browser,
  change: Readonly<Record<string, string | undefined>> = {},
): Promise<Tokens> {
  const { code, verifier } = await codeFor(browser, change);
  const answer = await sendForm(server, {
    ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
    client_id: change.client_id ?? APP.client_id,
    redirect_uri: change.redirect_uri ?? APP.redirect_uris[0] ?? '',
  });
  return { access: answer.json.access_token, refresh: answer.json.refresh_token };
}

export const refreshOf = (refresh: string, client = APP.client_id) => ({
  grant_type: 'refresh_token',
  refresh_token: refresh,
  client_id: client,
});

/** Calls a tool at `/mcp`, as a host does. */
export const callTool = (
  server: Pick<ConsoleServer, 'call'>,
  token: string | null,
  { name = 'web_search', args = { query: 'tidal power' } as object } = {},
) =>
  server.call('POST', '/mcp', {
    key: token,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    headers: { accept: 'application/json, text/event-stream' },
  });
