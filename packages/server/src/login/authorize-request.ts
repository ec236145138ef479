import { LOGIN_SCOPES, type LoginScope } from '@trawl/contract';
import type { LoginPlace } from '../config/login-place.ts';
import { isClientId } from './client-document.ts';
import { isRegistered } from './redirect-uris.ts';

/** What names the client of a request, before anything of it is believed. */
export interface AskedClient {
  readonly clientId: string;
  readonly redirectUri: string;
}

/** A request of a client that a person may consent to. */
export interface AuthorizeRequest extends AskedClient {
  readonly scopes: readonly LoginScope[];
  /** PKCE, S256. */
  readonly challenge: string;
  readonly state: string | undefined;
}

/** The error of OAuth, and what to say about it. */
export interface AuthorizeFault {
  readonly error:
    | 'invalid_request'
    | 'unsupported_response_type'
    | 'invalid_scope'
    | 'invalid_target';
  readonly says: string;
}

/** So that a cookie has room for it, which is at most 4,096 bytes. */
const QUERY_MAX = 2_800;
/** Base64url of a SHA-256. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const SINGLE = [
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state'],
  ...['code_challenge', 'code_challenge_method'],
];

/** The client that a request names. A text = why it cannot be read; no one is sent anywhere. */
export function askedClient(query: URLSearchParams): AskedClient | string {
  if (String(query).length > QUERY_MAX)
    return `The request is longer than ${QUERY_MAX} characters.`;
  for (const name of SINGLE) {
    if (query.getAll(name).length > 1) return `The request has ${name} more than once.`;
  }
  if (String(query).includes('%00')) return 'The request has the character U+0000.';
  const [clientId, redirectUri] = [query.get('client_id'), query.get('redirect_uri')];
  if (!clientId) return 'The request has no client_id: it does not say which program asks.';
  if (!isClientId(clientId)) return 'The client_id of the request has signs that no id has.';
  if (!redirectUri) return 'The request has no redirect_uri: it does not say where to go back to.';
  return { clientId, redirectUri };
}

/** Why a person cannot be sent back to this client; undefined = it is one of its addresses. */
export function redirectFault(
  { redirectUri }: AskedClient,
  client: { readonly redirectUris: readonly string[] },
): string | undefined {
  if (isRegistered(redirectUri, client.redirectUris)) return undefined;
  return `The program is not known by the address that it wants you to go back to: ${redirectUri.slice(0, 300)}. If the address is right, an operator enters it with "trawl mcp clients add".`;
}

/** What a request of a known client asks for. */
export function authorizeRequest(
  asked: AskedClient,
  query: URLSearchParams,
  { resource }: LoginPlace,
): AuthorizeRequest | AuthorizeFault {
  const fault = (error: AuthorizeFault['error'], says: string): AuthorizeFault => ({ error, says });
  if (query.get('response_type') !== 'code') {
    return fault('unsupported_response_type', 'response_type must be code.');
  }
  if ((query.get('response_mode') ?? 'query') !== 'query') {
    return fault('invalid_request', 'response_mode must be query.');
  }
  const challenge = query.get('code_challenge') ?? '';
  if (query.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge)) {
    return fault(
      'invalid_request',
      'The request needs PKCE: code_challenge, with the method S256.',
    );
  }
  if (query.getAll('resource').some((one) => one !== resource)) {
    return fault('invalid_target', `resource must be ${resource}.`);
  }
  const scopes = scopesOf(query.get('scope'));
  if (scopes.length === 0) {
    return fault('invalid_scope', `scope must name one of ${LOGIN_SCOPES.join(', ')}.`);
  }
  return { ...asked, scopes, challenge, state: query.get('state') ?? undefined };
}

/** All where none is named. Others than ours are not granted, as the answer of the token says. */
function scopesOf(scope: string | null): readonly LoginScope[] {
  const named = (scope ?? '').split(' ').filter((name) => name !== '');
  return named.length === 0 ? LOGIN_SCOPES : LOGIN_SCOPES.filter((one) => named.includes(one));
}
