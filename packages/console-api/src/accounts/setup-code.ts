import { type Clock, isoTime } from '@trawl/base';
import type { AccountStore } from '@trawl/store';
import { commandLineEntry } from './audit-trail.ts';
import { codeDigest, newCode } from './secrets.ts';

/**
 * A new one-time code for the first account; the code before it ends. It is known here only: the
 * store keeps a digest. null when an account exists.
 */
export async function createSetupCode(
  { setupCode, audit }: Pick<AccountStore, 'setupCode' | 'audit'>,
  clock: Clock,
): Promise<string | null> {
  const code = newCode();
  const createdAt = isoTime(clock.now());
  if (!(await setupCode.replace(codeDigest(code), createdAt))) return null;
  await audit.write(commandLineEntry({ action: 'setup.code_created' }, clock));
  return code;
}
