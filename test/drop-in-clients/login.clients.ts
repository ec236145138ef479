import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Browser } from '@trawl/test-support/console-server';
import {
  APP,
  callTool,
  decide,
  type LoginServer,
  movesTo,
  startLoginServer,
} from '@trawl/test-support/logins';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let server: LoginServer;
let person: Browser;
beforeAll(async () => {
  server = await startLoginServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  person = await server.person('admin');
});

const REDIRECT = 'http://127.0.0.1:4711/callback';

/** What a person does in the browser that a client opens; where it comes back to. */
async function allowedAt(asked: URL): Promise<URL> {
  const page = await person.call('GET', `${asked.pathname}${asked.search}`);
  return movesTo((await decide(person, page.text)).text);
}

const calls = async () => {
  const [login] = (await person.call('GET', '/console/api/account/logins')).json.logins;
  return (await person.call('GET', server.path(`/keys/${login.id}`))).json.calls;
};

test('oauth4webapi, which checks each answer, logs in and renews its tokens', async () => {
  const local = { [oauth.allowInsecureRequests]: true };
  const first = await callTool(server, null);
  const challenge = first.headers.get('www-authenticate') ?? '';
  const named = new URL(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '');
  const resource = new URL('/mcp', server.issuer);
  expect(named.pathname).toBe('/.well-known/oauth-protected-resource/mcp');
  const about = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, local),
  );
  const issuer = new URL(about.authorization_servers?.[0] ?? '');
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...local }),
  );
  const client: oauth.Client = { client_id: APP.client_id };
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const asked = new URL(as.authorization_endpoint ?? '');
  for (const [name, value] of Object.entries({
    ...{ client_id: client.client_id, redirect_uri: REDIRECT, response_type: 'code', state },
    ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier) },
    ...{ code_challenge_method: 'S256', scope: 'search', resource: about.resource },
  })) {
    asked.searchParams.set(name, value);
  }
  // it compares `iss` and `state`
  const sent = oauth.validateAuthResponse(as, client, await allowedAt(asked), state);
  const tokens = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(
      ...[as, client, oauth.None(), sent, REDIRECT, verifier],
      { additionalParameters: { resource: about.resource }, ...local },
    ),
  );
  expect(tokens.scope).toBe('search');
  expect((await callTool(server, tokens.access_token)).status).toBe(200);
  expect((await calls())[0]).toMatchObject({ outcome: 'succeeded' });
  const renewed = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(
      ...[as, client, oauth.None(), tokens.refresh_token ?? ''],
      local,
    ),
  );
  expect((await callTool(server, renewed.access_token)).status).toBe(200);
  const ended = await oauth.revocationRequest(
    ...[as, client, oauth.None(), renewed.refresh_token ?? ''],
    local,
  );
  await oauth.processRevocationResponse(ended);
  await expect.poll(async () => (await callTool(server, renewed.access_token)).status).toBe(401);
});

test('the official client of 2025 logs in, and its search is recorded', async () => {
  const opened: URL[] = [];
  const kept: Record<string, unknown> = {};
  const authProvider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadataUrl: APP.client_id,
    clientMetadata: { client_name: 'An app', redirect_uris: [REDIRECT] },
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void Object.assign(kept, { tokens }),
    redirectToAuthorization: (url) => void opened.push(url),
    saveCodeVerifier: (verifier) => void Object.assign(kept, { verifier }),
    codeVerifier: () => String(kept.verifier),
  };
  const url = new URL('/mcp', server.issuer);
  const client = () => new Client({ name: 'test', version: '1.0.0' });
  // its own types are not as strict as ours
  const transport = () =>
    new StreamableHTTPClientTransport(url, { authProvider }) as unknown as Transport;
  await expect(client().connect(transport())).rejects.toThrow(/unauthorized/i);
  const back = await allowedAt(opened[0] ?? url);
  const code = back.searchParams.get('code') ?? '';
  expect(await auth(authProvider, { serverUrl: url, authorizationCode: code })).toBe('AUTHORIZED');
  const host = client();
  await host.connect(transport());
  await host.callTool({ name: 'web_search', arguments: { query: 'tidal power' } });
  expect((await calls())[0]).toMatchObject({ outcome: 'succeeded' });
  await host.close();
});
