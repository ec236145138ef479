import { HOW_TO_SEND_KEY } from '@trawl/contract';
import type { ApiKey } from '@trawl/router';
import { isAccessToken } from './login-secrets.ts';

/** Headers in which other APIs take a key. */
const OTHER_HEADERS = ['X-API-Key', 'API-Key', 'X-Api-Token', 'X-Subscription-Token'];

/**
 * What to send instead of a request without a key. Nothing of the request is repeated: it may be
 * the key.
 */
export function missingKeyHint(headers: Headers): string {
  const given = headers.get('authorization') ?? '';
  const [scheme = '', ...rest] = given.trim().split(' ', 2);
  if (scheme.toLowerCase() === 'basic') return `keys are not sent as Basic: ${HOW_TO_SEND_KEY}`;
  if (scheme !== '' && rest.length === 0 && scheme.toLowerCase() !== 'bearer') {
    return `write Bearer before the key: ${HOW_TO_SEND_KEY}`;
  }
  const other = OTHER_HEADERS.find((name) => headers.has(name));
  if (other !== undefined) return `${other} is not read: ${HOW_TO_SEND_KEY}`;
  return headers.has('cookie') ? `cookies are not read: ${HOW_TO_SEND_KEY}` : HOW_TO_SEND_KEY;
}

/** What is probably wrong with a key that no key of this server matches. */
export function wrongKeyHint(token: string): string {
  if (isAccessToken(token)) {
    return 'it is the token of a login, which works at /mcp alone, and only while the login is in force';
  }
  if (token.toLowerCase().startsWith('bearer ')) return `write Bearer once: ${HOW_TO_SEND_KEY}`;
  if (token.startsWith('"') || token.startsWith("'"))
    return `leave out the quotes: ${HOW_TO_SEND_KEY}`;
  if (token.startsWith('$') || token.startsWith('<') || token.startsWith('{')) {
    return `a placeholder was sent instead of the key: ${HOW_TO_SEND_KEY}`;
  }
  return 'it is not a key of this server; trawl keys list shows those that it has';
}

/** Why a key of this server is not accepted any more, and what makes another one. */
export function endedKeyHint({ id, revokedAt, disabledAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return `the key was revoked at ${revokedAt}: make another one`;
  if (disabledAt !== null) return `the key is disabled: trawl keys enable ${id}`;
  return `the key expired at ${expiresAt}: make another one`;
}
