import { hash } from 'node:crypto';
import { digestOf, secretText } from './api-keys.ts';

/** What codes and tokens begin with, so that they are not taken for keys. */
const PREFIX = { code: 'tlc_', access: 'tla_', refresh: 'tlr_' } as const;

export interface NewSecret {
  /** Sent once, and not stored. */
  readonly text: string;
  readonly digest: string;
}

/** `PUBLIC_URL/mcp`. */
interface Place {
  readonly resource: string;
}

/** A new code or token. @param bytes of a code that is made again: random when absent */
export function newSecret(kind: keyof typeof PREFIX, place: Place, bytes?: Uint8Array): NewSecret {
  const text = secretText(PREFIX[kind], bytes);
  return { text, digest: secretDigest(text, place) };
}

/** Its stored form, with what it is for: under another `PUBLIC_URL` it is worth nothing. */
export const secretDigest = (text: string, { resource }: Place): string =>
  digestOf(`${resource} ${text}`);

export const isAccessToken = (token: string): boolean => token.startsWith(PREFIX.access);

/** The challenge that a verifier makes: RFC 7636, S256. */
export const challengeOf = (verifier: string): string => hash('sha256', verifier, 'base64url');
