import { createHash } from 'node:crypto';
import { isUnknownScript } from './reply-error.ts';
import type { Argument, Send } from './session.ts';

/** Runs a script on keys with arguments. */
export type Script = (
  send: Send,
  keys: readonly string[],
  values: readonly Argument[],
) => Promise<unknown>;

/**
 * A script runs whole or not at all, and nothing runs in between. Sent by its digest, and once as
 * text to a server that does not know it.
 */
export function script(text: string): Script {
  const digest = createHash('sha1').update(text).digest('hex');
  return async (send, keys, values) => {
    const rest = [String(keys.length), ...keys, ...values];
    try {
      return await send(['EVALSHA', digest, ...rest]);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return send(['EVAL', text, ...rest]);
    }
  };
}
