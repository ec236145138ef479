import { hash, randomBytes } from 'node:crypto';

/** Without letters that look like digits. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LETTERS = 20;
const TOKEN_BYTES = 32;

/** A code to type, such as `7K2QX-…`: 100 random bits. */
export function newCode(): string {
  const letters = [...randomBytes(CODE_LETTERS)].map((byte) => LETTERS.charAt(byte % 32)).join('');
  return letters.replaceAll(/.{5}(?=.)/g, '$&-');
}

/** The stored form of a code, which may be typed in any case, with or without dashes and blanks. */
export const codeDigest = (code: string): string =>
  hash('sha256', code.replaceAll(/[\s-]/g, '').toUpperCase(), 'hex');

/** A token for a link. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

export const tokenDigest = (token: string): string => hash('sha256', token, 'hex');
