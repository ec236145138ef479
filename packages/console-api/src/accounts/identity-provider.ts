import { isJsonObject, type JsonObject, parsedUrl } from '@trawl/contract';

/** The identity provider of the settings. */
export interface IdentityProvider {
  /** As it names itself. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** How the sign-in page calls it. */
  readonly label: string;
  /** Domains of addresses whose people need no invitation. */
  readonly domains: readonly string[];
}

/** What a provider says about itself. */
export interface Discovered {
  /** Where it says so. */
  readonly url: string;
  readonly userInfoUrl: string | undefined;
}

const TIME_LIMIT_MS = 5_000;

/** Reads what the provider says about itself. @throws Error that names the problem */
export async function discover({ issuer }: Pick<IdentityProvider, 'issuer'>): Promise<Discovered> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found = await readObject(url);
  if (found.issuer !== issuer) {
    throw new Error(`CONSOLE_OIDC_ISSUER: ${url} names another issuer than the setting`);
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
    if (!isSafe(found[name], issuer)) {
      throw new Error(`CONSOLE_OIDC_ISSUER: ${url} has no usable ${name}`);
    }
  }
  const { userinfo_endpoint: userInfo } = found;
  return { url, userInfoUrl: isSafe(userInfo, issuer) ? userInfo : undefined };
}

/** Over https, or over http where the issuer itself is on this machine. */
function isSafe(value: unknown, issuer: string): value is string {
  const protocol = typeof value === 'string' ? parsedUrl(value)?.protocol : undefined;
  return protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'));
}

async function readObject(url: string, headers: Record<string, string> = {}): Promise<JsonObject> {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const response = await fetch(url, { headers, signal, redirect: 'error' });
  const body: unknown = response.ok ? await response.json() : undefined;
  if (isJsonObject(body)) return body;
  throw new Error(`the identity provider answered ${response.status} without an object`);
}

/**
 * Who signed in, from a token whose signature, issuer, audience, expiry and nonce the library has
 * checked, or from the page about that person. null without a token.
 */
export async function readProfile(
  tokens: { readonly idToken: string | undefined; readonly accessToken: string | undefined },
  { userInfoUrl }: Discovered,
) {
  const claims = claimsOf(tokens.idToken);
  if (typeof claims?.sub !== 'string' || claims.sub === '') return null;
  const said =
    claims.email === undefined && userInfoUrl && tokens.accessToken
      ? await readObject(userInfoUrl, { authorization: `Bearer ${tokens.accessToken}` })
      : claims;
  // the page may be that of another person
  if (said.sub !== claims.sub || typeof said.email !== 'string') return null;
  return {
    id: claims.sub,
    email: said.email,
    emailVerified: isVerified(said.email_verified),
    name: typeof said.name === 'string' ? said.name : '',
  };
}

/**
 * OpenID Connect says a boolean; some providers send a text, which others write with a capital.
 * Anything else counts as no.
 */
const isVerified = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && value.toLowerCase() === 'true');

function claimsOf(idToken: string | undefined): JsonObject | undefined {
  const [, payload] = idToken?.split('.') ?? [];
  if (payload === undefined) return undefined;
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return isJsonObject(claims) ? claims : undefined;
}
