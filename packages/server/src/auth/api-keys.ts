import { hash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_BYTES = 32;
/** Digits that 32 bytes need in base 62, so every key has the same length. */
const KEY_DIGITS = 43;

/** A new API key: `tk_` and 32 random bytes in base 62. Shown once; only its digest is stored. */
export const newApiKey = (random: (bytes: number) => Uint8Array = randomBytes): string =>
  secretText('tk_', random(KEY_BYTES));

/** A prefix and 32 bytes in base 62. @param bytes random when absent */
export function secretText(prefix: string, bytes: Uint8Array = randomBytes(KEY_BYTES)): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let digits = '';
  while (digits.length < KEY_DIGITS) {
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return `${prefix}${digits}`;
}

/** SHA-256 in hex: the stored form of a key, used for lookups. */
export function digestOf(key: string | Uint8Array): string {
  return hash('sha256', key, 'hex');
}

/** The part of a key that is shown after its creation. */
export function lastFourOf(key: string): string {
  return key.slice(-4);
}
