import { systemClock } from '@trawl/base';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { createPasswordLink } from '@trawl/console-api';
import { readConfig } from '@trawl/server';
import type { Runtime } from '../program/runtime.ts';
import { withDatabase } from './key-database.ts';

/**
 * Prints a link with which a person of the console sets a new password.
 * @throws Error when the console or its passwords are switched off, or the address has no account
 */
export async function printPasswordLink(
  runtime: Runtime,
  email: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const { console: mode, consoleOidcOnly, port, publicUrl } = readConfig(runtime.environment);
  if (mode === 'off') {
    throw new Error('the console is switched off: set CONSOLE=on, and restart the server');
  }
  if (consoleOidcOnly === 'on') {
    throw new Error(
      'people sign in by single sign-on only (CONSOLE_OIDC_ONLY), so none has a password',
    );
  }
  const wanted = { email, publicUrl: publicUrl ?? `http://127.0.0.1:${port}` };
  await withDatabase(runtime, { mayCreate: false, isQuiet: json }, async (store) => {
    const made = await createPasswordLink(store, wanted, systemClock);
    if (made === null) throw new Error(`${email} has no account: people come by invitation`);
    if (json) {
      printJson({ link: made.link, expires_at: made.expiresAt });
      return;
    }
    print(`${made.link}\n`);
    const where = publicUrl === undefined ? ' On another machine, PUBLIC_URL has to be set.' : '';
    note(`It works once, for one hour; an earlier one of this command ended.${where}\n`);
  });
}
