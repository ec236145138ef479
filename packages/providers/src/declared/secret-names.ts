import { plainKey, wordsOf } from '../request/overrides.ts';

const SECRET_ENDS = new Set([
  ...['token', 'secret', 'password', 'passwd', 'pwd', 'auth', 'authorization', 'cookie'],
  ...['credential', 'credentials', 'signature'],
]);
/** What is before the word key where it is a secret; a `sort_key` is not. */
const KEY_KINDS = new Set([
  ...['api', 'access', 'auth', 'app', 'client', 'license', 'private', 'secret', 'subscription'],
  undefined,
]);

/** Whether a parameter or header of this name has a secret as its value. */
export function namesSecret(name: string): boolean {
  const words = wordsOf(name);
  const [kind, last = ''] = [words.at(-2), words.at(-1)];
  if (SECRET_ENDS.has(last) || plainKey(name).endsWith('apikey')) return true;
  return last === 'key' && KEY_KINDS.has(kind);
}
