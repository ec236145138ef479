import { type Clock, isoTime } from '@trawl/base';
import { commandLineEntry } from '@trawl/server';
import type { Store } from '@trawl/store';
import { codeDigest, newCode } from './secrets.ts';

/**
 * A new one-time code for the first account; the code before it ends. It is known here only: the
 * store keeps a digest. null when an account exists.
 */
export function createSetupCode(
  store: Pick<Store, 'changing'>,
  clock: Clock,
): Promise<string | null> {
  const code = newCode();
  const createdAt = isoTime(clock.now());
  return store.changing(async ({ accounts }) => {
    if (!(await accounts.setupCode.replace(codeDigest(code), createdAt))) return null;
    await accounts.audit.write(commandLineEntry({ action: 'setup.code_created' }, clock));
    return code;
  });
}
