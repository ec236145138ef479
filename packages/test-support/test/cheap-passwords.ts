import { randomBytes, scryptSync } from 'node:crypto';
import type { Passwords } from '@trawl/console-api/testing';

/** Passwords of tests: hashed at a cost that guards nothing, since a test makes many accounts. */
export const CHEAP_PASSWORDS: Passwords = {
  hash: async (password) => {
    const salt = randomBytes(8).toString('hex');
    return `${salt}:${digestOf(password, salt)}`;
  },
  verify: async ({ hash, password }) => {
    const [salt = '', digest] = hash.split(':');
    return digestOf(password, salt) === digest;
  },
};

const digestOf = (password: string, salt: string): string =>
  scryptSync(password, salt, 16, { N: 2, r: 1, p: 1 }).toString('hex');
