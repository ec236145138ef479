import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a toy provider deviates from the protocol. */
export interface Behaviour {
  /** Instead of the claims of a good ID token. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signed by a key that it does not publish. */
  readonly isForged?: boolean;
  /** The token says that it needs no signature. */
  readonly isUnsigned?: boolean;
  readonly hasNoIdToken?: boolean;
  /** Instead of what it says about itself. */
  readonly discovery?: Readonly<Record<string, unknown>>;
  /** What it says about a person on its own page. */
  readonly userInfo?: Readonly<Record<string, unknown>>;
}

const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2_048 });
const PUBLISHED = newKey();
const OTHER = newKey();

interface Grant {
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly redirectUri: string | null;
}

export interface ToyProvider {
  readonly issuer: string;
  /** For the calls that follow. */
  behave(behaviour: Behaviour): void;
  /** What a browser does there: signs in at once, and returns where it is sent. */
  authorize(url: string): Promise<string>;
  stop(): Promise<void>;
}

/** An OpenID Connect provider on loopback with one person. */
export async function startToyProvider(): Promise<ToyProvider> {
  let behaviour: Behaviour = {};
  const grants = new Map<string, Grant>();
  let issuer = '';

  const discovery = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    id_token_signing_alg_values_supported: ['RS256'],
    ...behaviour.discovery,
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer);
    const json = (value: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(discovery());
      case '/jwks':
        return json({
          keys: [
            {
              ...PUBLISHED.publicKey.export({ format: 'jwk' }),
              kid: 'one',
              alg: 'RS256',
              use: 'sig',
            },
          ],
        });
      case '/userinfo':
        return json(behaviour.userInfo ?? {});
      case '/authorize': {
        const code = randomUUID();
        grants.set(code, {
          nonce: url.searchParams.get('nonce'),
          challenge: url.searchParams.get('code_challenge'),
          redirectUri: url.searchParams.get('redirect_uri'),
        });
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('code', code);
        back.searchParams.set('state', url.searchParams.get('state') ?? '');
        response.writeHead(302, { location: back.href });
        response.end();
        return;
      }
      case '/token': {
        const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
        const grant = grants.get(form.get('code') ?? '');
        grants.delete(form.get('code') ?? '');
        if (!grant || !isProven(grant, form)) return json({ error: 'invalid_grant' }, 400);
        return json({
          access_token: 'an access token of the toy provider',
          token_type: 'Bearer',
          expires_in: 300,
          ...(behaviour.hasNoIdToken ? {} : { id_token: idToken(grant) }),
        });
      }
      default:
        return json({}, 404);
    }
  }

  function idToken({ nonce }: Grant): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      ...{ iss: issuer, aud: CLIENT.id, sub: 'person-1', iat: now, exp: now + 300, nonce },
      ...{ email: 'grace@example.com', email_verified: true, name: 'Grace' },
      ...behaviour.claims,
    };
    const header = behaviour.isUnsigned ? { alg: 'none' } : { alg: 'RS256', kid: 'one' };
    const text = [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    if (behaviour.isUnsigned) return `${text}.`;
    const { privateKey } = behaviour.isForged ? OTHER : PUBLISHED;
    return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    behave: (next) => {
      behaviour = next;
    },
    authorize: async (url) => {
      const response = await fetch(url, { redirect: 'manual' });
      return response.headers.get('location') ?? '';
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const CLIENT = { id: 'trawl', secret: 'secret-of-the-client' };

/** The client's secret, the address that it began with, and PKCE. */
function isProven(grant: Grant, form: URLSearchParams): boolean {
  const proof = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  return (
    form.get('client_id') === CLIENT.id &&
    form.get('client_secret') === CLIENT.secret &&
    form.get('redirect_uri') === grant.redirectUri &&
    proof === grant.challenge
  );
}
