import { HOW_TO_SEND_KEY, trimEndOf, trimStartOf } from '@trawl/contract';
import { type ApiKey, RequestError } from '@trawl/router';
import { digestOf } from './api-keys.ts';
import { createKeyDirectory, type KeyDirectoryOptions } from './key-directory.ts';
import { isAccessToken } from './login-secrets.ts';

/**
 * The key in an `Authorization` header. Refuses with 401, or 503 when keys cannot be looked up.
 * @param headers all of them, for a hint; undefined where the key comes from elsewhere
 */
export type Authenticate = (header: string | undefined, headers?: Headers) => Promise<ApiKey>;

export interface Authenticator {
  readonly authenticate: Authenticate;
  /** Reads the revision of the keys now, instead of waiting for the next poll. Never rejects. */
  refresh(): Promise<void>;
  /** Another server changed a key: none is remembered from before. */
  changed(): void;
  /** Starts polling. Until then each key is looked up. */
  start(): void;
  stop(): void;
}

export interface AuthenticatorOptions extends Omit<KeyDirectoryOptions, 'pollMs'> {
  /** How soon a change of a key is noticed, in milliseconds; 500 when absent. */
  readonly pollMs?: number;
}

const POLL_MS = 500;
const SCHEME = 'bearer ';
/** Fewer than `trim` removes: the byte A0 can be the end of a UTF-8 character. */
const BLANKS = ' \t';

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const directory = createKeyDirectory({ ...options, pollMs: options.pollMs ?? POLL_MS });
  return {
    async authenticate(header, headers) {
      const token = tokenOf(header);
      if (token === '') {
        throw unauthorized(
          'Missing API key',
          'invalid_request',
          headers && missingKeyHint(headers),
        );
      }
      // A header arrives as bytes, one for each character; the digest is of the bytes.
      const key = await directory.find(digestOf(Buffer.from(token, 'latin1')));
      if (!key || !isInForce(key, options.clock.now())) {
        const hint = key ? endedKeyHint(key) : headers && wrongKeyHint(token);
        throw unauthorized('Invalid API key', 'invalid_token', hint);
      }
      return key;
    },
    refresh: directory.refresh,
    changed: directory.changed,
    start: directory.start,
    stop: directory.stop,
  };
}

/** The token of a `Bearer` header; empty without one. */
export function tokenOf(header: string | undefined): string {
  if (header?.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return '';
  return trimStartOf(trimEndOf(header.slice(SCHEME.length), BLANKS), BLANKS);
}

/** An expiry that cannot be read counts as over. */
export function isInForce(key: ApiKey, now: number): boolean {
  if (key.revokedAt !== null || key.disabledAt !== null) return false;
  return key.expiresAt === null || now < Date.parse(key.expiresAt);
}

/** @param error the word of RFC 6750 for it */
function unauthorized(
  detail: string,
  error: 'invalid_request' | 'invalid_token',
  hint?: string,
): RequestError {
  // the standard's place for how to send a key, also where another key is needed
  const how = hint?.includes(HOW_TO_SEND_KEY)
    ? hint
    : [hint, HOW_TO_SEND_KEY].filter(Boolean).join('; ');
  const challenge = `Bearer realm="trawl", error="${error}", error_description="${detail}: ${how}"`;
  return new RequestError(401, detail, {
    typed: { code: 'unauthorized' },
    hint,
    headers: { 'www-authenticate': challenge },
  });
}

/** Headers in which other APIs take a key. */
const OTHER_HEADERS = ['X-API-Key', 'API-Key', 'X-Api-Token', 'X-Subscription-Token'];

/**
 * What to send instead of a request without a key. Nothing of the request is repeated: it may be
 * the key.
 */
function missingKeyHint(headers: Headers): string {
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
function wrongKeyHint(token: string): string {
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
function endedKeyHint({ id, revokedAt, disabledAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return `the key was revoked at ${revokedAt}: make another one`;
  if (disabledAt !== null) return `the key is disabled: trawl keys enable ${id}`;
  return `the key expired at ${expiresAt}: make another one`;
}
