import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** What a sealed key belongs to: it opens nowhere else. */
export interface SealedFor {
  readonly provider: string;
  /** The id of its row. */
  readonly id: string;
}

const CIPHER = 'aes-256-gcm';
const VERSION = 'v1.';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals a key by AES-256-GCM under a random nonce (NIST SP 800-38D).
 * @param secret 32 bytes
 * @returns `v1.` and the base64url of nonce, tag and text
 */
export function sealKey(key: string, secret: Uint8Array, owner: SealedFor): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secret, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(owner));
  const text = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
  return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

/** The key; undefined under another secret, and where the text or its row was changed. */
export function openKey(sealed: string, secret: Uint8Array, owner: SealedFor): string | undefined {
  if (!sealed.startsWith(VERSION)) return undefined;
  const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  if (tag.length < TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, secret, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(owner));
  decipher.setAuthTag(tag);
  try {
    const text = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

const boundTo = ({ provider, id }: SealedFor): Buffer =>
  Buffer.from(`trawl provider key\n${provider}\n${id}`);
