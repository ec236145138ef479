import { expect, it } from 'vitest';
import { challengeOf, isAccessToken, newSecret } from '../../src/auth/login-secrets.ts';
import { challenge, serverMetadata } from '../../src/config/login-metadata.ts';
import { loginPlace, loginProblems } from '../../src/config/login-place.ts';
import { askedClient, authorizeRequest, redirectFault } from '../../src/login/authorize-request.ts';
import { clientOf, documentUrl } from '../../src/login/client-document.ts';
import { isRedirectUri, isRegistered, redirectTo } from '../../src/login/redirect-uris.ts';

const PLACE = { issuer: 'https://trawl.example.com', resource: 'https://trawl.example.com/mcp' };
const ASK = {
  client_id: 'https://app.example/client.json',
  redirect_uri: 'https://app.example/callback',
  response_type: 'code',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  scope: 'search',
  state: 'a state',
  resource: PLACE.resource,
};

const asked = (change: Record<string, string | undefined> = {}) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...ASK, ...change })) {
    if (value !== undefined) query.append(name, value);
  }
  return query;
};
const request = (change: Record<string, string | undefined> = {}) => {
  const query = asked(change);
  return authorizeRequest(askedClient(query) as never, query, PLACE);
};

it.each([
  ['https://app.example/callback', true],
  ['http://127.0.0.1/callback', true],
  ['http://127.0.0.1:33418', true],
  ['http://localhost:8787/callback?a=b', true],
  ['http://[::1]/callback', true],
  ['cursor://anysphere.cursor-mcp/oauth/callback', true],
  ['com.example.app:/callback', true],
  ['http://app.example/callback', false],
  ['http://127.0.0.1.app.example/callback', false],
  ['http://127.0.0.1@app.example/callback', false],
  ['http://localhost:123456/callback', false],
  ['https://user@app.example/callback', false],
  ['HTTPS://evil.example/cb', false],
  ['https:evil.example/cb', false],
  ['https:/evil.example/cb', false],
  ['https://app.example/callback#part', false],
  ['https://app.example/callback#', false],
  ['javascript:alert(1)', false],
  ['JavaScript:alert(1)', false],
  ['data:text/html,x', false],
  ['file:///etc/passwd', false],
  ['view-source:https://app.example', false],
  ['https://app.example/\n', false],
  ['//app.example', false],
  ['', false],
])('a client may be sent to %s: %s', (uri, may) => {
  expect(isRedirectUri(uri)).toBe(may);
});

it.each([
  ['https://app.example/callback', true],
  ['https://app.example/callback/', false],
  ['https://app.example/callback2', false],
  ['https://app.example/callbac', false],
  ['https://app.example:444/callback', false],
  ['https://app.example/callback?x=1', false],
  ['https://app.example/callback#x', false],
  ['https://APP.example/callback', false],
  ['https://app.example.evil.example/callback', false],
  ['http://127.0.0.1:1/done', true],
  ['http://127.0.0.1/done', true],
  ['http://127.0.0.1:65535/done', true],
  ['http://127.0.0.1:65536/done', false],
  ['http://localhost:1/done', false],
  ['http://127.0.0.1:1/done/', false],
  ['http://127.0.0.1:1/done?x=1', false],
  ['http://127.0.0.1:1/done#x', false],
])('of https://app.example/callback and http://127.0.0.1:9/done, %s is one: %s', (uri, is) => {
  expect(isRegistered(uri, ['https://app.example/callback', 'http://127.0.0.1:9/done'])).toBe(is);
});

it('an address of this machine without a path is the same as with a slash', () => {
  expect(isRegistered('http://127.0.0.1:4000/', ['http://127.0.0.1:33418'])).toBe(true);
});

it('keeps the query of a redirect', () => {
  expect(redirectTo('https://app.example/c?a=b', { code: 'x y', state: undefined })).toBe(
    'https://app.example/c?a=b&code=x+y',
  );
});

it('reads a request of a client', () => {
  expect(request()).toEqual({
    clientId: ASK.client_id,
    redirectUri: ASK.redirect_uri,
    scopes: ['search'],
    challenge: ASK.code_challenge,
    state: 'a state',
  });
});

it.each([
  ['no scope', { scope: undefined }, ['search', 'fetch', 'read']],
  ['an empty scope', { scope: '' }, ['search', 'fetch', 'read']],
  ['others beside ours', { scope: 'openid read offline_access' }, ['read']],
  ['no resource', { resource: undefined }, ['search']],
])('with %s it asks for', (_what, change, scopes) => {
  const { scope, ...rest } = change as Record<string, string | undefined>;
  const given = 'scope' in change ? { scope, ...rest } : rest;
  expect(request(given)).toMatchObject({ scopes });
});

it.each([
  ['unsupported_response_type', { response_type: 'token' }],
  ['unsupported_response_type', { response_type: undefined }],
  ['invalid_request', { response_mode: 'fragment' }],
  ['invalid_request', { code_challenge: undefined }],
  ['invalid_request', { code_challenge_method: 'plain' }],
  ['invalid_request', { code_challenge_method: undefined }],
  ['invalid_request', { code_challenge: 'short' }],
  ['invalid_target', { resource: 'https://trawl.example.com' }],
  ['invalid_target', { resource: 'https://trawl.example.com/mcp/' }],
  ['invalid_target', { resource: 'https://evil.example/mcp' }],
  ['invalid_scope', { scope: 'manage' }],
  ['invalid_scope', { scope: 'admin' }],
])('answers %s to %j', (error, change) => {
  expect(request(change)).toMatchObject({ error });
});

it('takes one resource of several that are all right, and none where one is wrong', () => {
  const twice = asked();
  twice.append('resource', PLACE.resource);
  const wrong = asked();
  wrong.append('resource', 'https://evil.example/mcp');
  const read = (query: URLSearchParams) =>
    authorizeRequest(askedClient(query) as never, query, PLACE);
  expect(read(twice)).toMatchObject({ scopes: ['search'] });
  expect(read(wrong)).toMatchObject({ error: 'invalid_target' });
});

it.each(['client_id', 'redirect_uri', 'state', 'code_challenge', 'scope'])(
  'sends nobody anywhere for a request with %s twice',
  (name) => {
    const query = asked();
    query.append(name, 'https://evil.example/x');
    expect(askedClient(query)).toBe(`The request has ${name} more than once.`);
  },
);

it.each([
  ['client_id', '\0', 'U+0000'],
  ['client_id', 'a b', 'client_id'],
  ['client_id', 'x'.repeat(501), 'client_id'],
  ['state', 'a\0b', 'U+0000'],
])('reads no request with %s %j', (name, value, says) => {
  expect(askedClient(asked({ [name]: value }))).toContain(says);
});

it('sends nobody to an address that is not of the client', () => {
  const client = { redirectUris: ['https://app.example/callback'] };
  const ask = (redirectUri: string) => redirectFault({ clientId: 'x', redirectUri }, client);
  expect(ask('https://app.example/callback')).toBeUndefined();
  expect(ask('https://evil.example/callback')).toContain('https://evil.example/callback');
});

const DOCUMENT = {
  client_id: 'https://app.example/client.json',
  client_name: 'An app',
  redirect_uris: ['https://app.example/callback', 'http://127.0.0.1/callback'],
  token_endpoint_auth_method: 'none',
};
const read = (change: object) =>
  clientOf(new URL(DOCUMENT.client_id), JSON.stringify({ ...DOCUMENT, ...change }));

it('reads the document of a client', () => {
  expect(read({ grant_types: ['authorization_code', 'refresh_token'], logo_uri: 7 })).toEqual({
    id: DOCUMENT.client_id,
    name: 'An app',
    host: 'app.example',
    redirectUris: DOCUMENT.redirect_uris,
  });
});

it.each([
  ['its name hides signs', { client_name: 'Cla\u202eude\u0000\n  x' }, 'Cla ude x'],
  ['its name is long', { client_name: 'x'.repeat(500) }, 'x'.repeat(100)],
  ['it has no name', { client_name: undefined }, 'app.example'],
  ['its name is empty', { client_name: ' \u200b ' }, 'app.example'],
])('shows the name of a client where %s', (_what, change, name) => {
  expect(read(change)).toMatchObject({ name });
});

it('leaves out addresses that no person may be sent to', () => {
  const good = ['https://app.example/callback', 'http://localhost/x', 'com.example.app:/callback'];
  const bad = ['javascript:alert(1)', 'http://10.0.0.1/x', 'cursor://a/b', 'ms-settings:x'];
  expect(read({ redirect_uris: [...bad, ...good] })).toMatchObject({ redirectUris: good });
});

it('takes an address of this machine with a star for its port', () => {
  const uris = ['http://localhost:*/callback', 'https://app.example:*/callback'];
  expect(read({ redirect_uris: uris })).toMatchObject({
    redirectUris: ['http://localhost/callback'],
  });
});

it.each([
  ['another id', { client_id: 'https://evil.example/client.json' }, 'its client_id'],
  ['no id', { client_id: undefined }, 'client_id: '],
  ['no redirect', { redirect_uris: [] }, 'its redirect_uris have no address'],
  ['redirects that are no list', { redirect_uris: 'https://x.example' }, 'redirect_uris: '],
  ['bad redirects alone', { redirect_uris: ['data:x'] }, 'its redirect_uris have no address'],
  ['a secret', { client_secret: 'x' }, 'client_secret: '],
  ['a key', { token_endpoint_auth_method: 'private_key_jwt' }, 'it wants to prove itself'],
  ['no code flow', { grant_types: ['client_credentials'] }, 'its grant_types lack'],
])('refuses a document with %s', (_what, change, says) => {
  expect(read(change)).toEqual(expect.stringContaining(says));
});

it('takes a client that may also come without a key', () => {
  const both = {
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  };
  expect(read(both)).toMatchObject({ name: 'An app' });
});

it('refuses a document that is not JSON', () => {
  expect(clientOf(new URL(DOCUMENT.client_id), '<html>')).toBe('it is not JSON');
  expect(clientOf(new URL(DOCUMENT.client_id), '[]')).toContain('the document');
});

it.each([
  ['https://app.example/client.json', true],
  ['https://app.example/a?b', true],
  ['https://app.example/', false],
  ['https://app.example', false],
  ['http://app.example/client.json', false],
  ['https://app.example/client.json#x', false],
  ['https://app.example/client.json#', false],
  ['https://user@app.example/client.json', false],
  ['https://app.example/a/../client.json', false],
  ['https://APP.example/client.json', false],
  ['my-client', false],
])('%s is the address of a document: %s', (id, is) => {
  expect(documentUrl(id) !== null).toBe(is);
});

const SETTINGS = {
  mcpLogin: 'on',
  publicUrl: 'https://trawl.example.com',
  console: 'on',
  allowedHosts: undefined,
} as const;

it('names itself by the origin of PUBLIC_URL', () => {
  expect(loginPlace(SETTINGS)).toEqual(PLACE);
  expect(loginPlace({ ...SETTINGS, publicUrl: 'http://127.0.0.1:8080' })).toEqual({
    issuer: 'http://127.0.0.1:8080',
    resource: 'http://127.0.0.1:8080/mcp',
  });
  expect(loginProblems(SETTINGS)).toEqual([]);
});

it.each([
  ['PUBLIC_URL is not set', { publicUrl: undefined }],
  ['begins with http:', { publicUrl: 'http://trawl.example.com' }],
  ['has a path', { publicUrl: 'https://trawl.example.com/search' }],
  ['CONSOLE is off', { console: 'off' }],
  ['ALLOWED_HOSTS lacks', { allowedHosts: ['localhost'] }],
] as const)('has no effect where %s, and says so', (says, change) => {
  const settings = { ...SETTINGS, ...change };
  expect(loginProblems(settings)).toEqual([expect.stringContaining(says)]);
  expect(loginPlace(settings)).toBeUndefined();
});

it('says nothing while it is off', () => {
  const off = { ...SETTINGS, mcpLogin: 'off', publicUrl: undefined } as const;
  expect([loginProblems(off), loginPlace(off)]).toEqual([[], undefined]);
});

it('makes the challenge of a verifier as RFC 7636 does', () => {
  expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(ASK.code_challenge);
});

it('makes codes and tokens that are no keys', () => {
  const texts = (['code', 'access', 'refresh'] as const).map((kind) => newSecret(kind, PLACE).text);
  expect(texts).toEqual([
    expect.stringMatching(/^tlc_\w{43}$/),
    expect.stringMatching(/^tla_\w{43}$/),
    expect.stringMatching(/^tlr_\w{43}$/),
  ]);
  expect(texts.map(isAccessToken)).toEqual([false, true, false]);
  const bytes = Buffer.alloc(32, 7);
  expect(newSecret('code', PLACE, bytes)).toEqual(newSecret('code', PLACE, bytes));
  const elsewhere = newSecret('code', { resource: 'https://other.example/mcp' }, bytes);
  expect(elsewhere.text).toBe(newSecret('code', PLACE, bytes).text);
  expect(elsewhere.digest).not.toBe(newSecret('code', PLACE, bytes).digest);
});

it('names itself in the challenge of /mcp', () => {
  expect(challenge(PLACE)).toBe(
    'Bearer resource_metadata="https://trawl.example.com/.well-known/oauth-protected-resource/mcp", scope="search fetch read"',
  );
  expect(challenge(PLACE, { error: 'invalid_token', says: 'a "bad" one' })).toContain(
    'error="invalid_token", error_description="a \'bad\' one"',
  );
});

it('says in its metadata what clients look for', () => {
  expect(serverMetadata(PLACE)).toMatchObject({
    issuer: PLACE.issuer,
    authorization_endpoint: `${PLACE.issuer}/console/authorize`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  });
  expect(serverMetadata(PLACE)).not.toHaveProperty('registration_endpoint');
});
