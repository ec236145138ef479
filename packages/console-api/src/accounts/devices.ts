import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Clock, DAY_MS } from '@trawl/base';
import { readStore } from '@trawl/router';
import type { AccountStore } from '@trawl/store';
import type { Library } from './library.ts';

/** A device on which a person was signed in before. */
export interface Device {
  readonly id: string;
  /** Of the person's account, in lower case. */
  readonly email: string;
}

/**
 * Devices on which people were signed in. Each has a cookie, which opens nothing: it only keeps
 * strangers from locking out the person. It is bound to the person's password, so it ends with a
 * new one, and when the account is taken over or deleted.
 */
export interface Devices {
  /** A whole `Set-Cookie` value for the device on which the person signs in. */
  issue(personId: string): Promise<string>;
  /**
   * @param token of the cookie. null unless it was issued, has not expired, and the password is the
   * same
   */
  read(token: string | undefined): Promise<Device | null>;
}

export interface DevicesOptions {
  readonly store: Pick<AccountStore, 'people'>;
  readonly library: Pick<Library, 'passwordHash'>;
  readonly secret: string;
  readonly publicUrl: string | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

const NAME = 'trawl.device';
const SECURE_NAME = `__Secure-${NAME}`;
const VALID_DAYS = 180;
const ID_BYTES = 16;
const TOKEN_CHARACTERS = 200;

export function createDevices({
  store,
  library,
  secret,
  publicUrl,
  clock,
}: DevicesOptions): Devices {
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  const proofOf = async (personId: string, id: string, expiresAt: string): Promise<Buffer> => {
    const passwordHash = await readStore(() => library.passwordHash(personId));
    const proven = JSON.stringify(['device', personId, id, expiresAt, passwordHash]);
    return createHmac('sha256', secret).update(proven).digest();
  };
  return {
    issue: async (personId) => {
      const id = randomBytes(ID_BYTES).toString('base64url');
      const expiresAt = String(clock.now() + VALID_DAYS * DAY_MS);
      const proof = (await proofOf(personId, id, expiresAt)).toString('base64url');
      const value = [personId, id, expiresAt, proof].join('.');
      const seconds = (VALID_DAYS * DAY_MS) / 1_000;
      const attributes = `Max-Age=${seconds}; Path=/console; HttpOnly; SameSite=Lax`;
      return `${isSecure ? SECURE_NAME : NAME}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`;
    },
    read: async (token) => {
      if (token === undefined || token.length > TOKEN_CHARACTERS) return null;
      const [personId, id, expiresAt, sent, ...more] = token.split('.');
      if (!personId || !id || !expiresAt || !sent || more.length > 0) return null;
      if (!(Number(expiresAt) > clock.now())) return null;
      const person = await readStore(() => store.people.find(personId));
      if (!person) return null;
      const proof = await proofOf(personId, id, expiresAt);
      return isEqual(Buffer.from(sent, 'base64url'), proof) ? { id, email: person.email } : null;
    },
  };
}

const isEqual = (sent: Buffer, proof: Buffer): boolean =>
  sent.length === proof.length && timingSafeEqual(sent, proof);

/** The token of a device in a `Cookie` header. */
export function deviceToken(headers: Headers): string | undefined {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (name === NAME || name === SECURE_NAME) return pair.slice(at + 1).trim();
  }
  return undefined;
}
