import { systemClock } from '@trawl/base';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { createSetupCode } from '@trawl/console-api';
import { readConfig } from '@trawl/server';
import type { Runtime } from '../program/runtime.ts';
import { withDatabase } from './key-database.ts';

/**
 * Prints a new one-time code for the first account of the console.
 * @throws Error when the console is switched off, or an account exists
 */
export async function printConsoleCode(
  runtime: Runtime,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  if (readConfig(runtime.environment).console === 'off') {
    throw new Error('the console is switched off: set CONSOLE=on, and restart the server');
  }
  await withDatabase(runtime, { mayCreate: false, isQuiet: json }, async (store) => {
    const code = await createSetupCode(store, systemClock);
    if (code === null) {
      throw new Error(
        'an account exists already, so no code is needed: sign in, ask an operator for an invitation, or set a new password with "trawl console reset EMAIL"',
      );
    }
    if (json) {
      printJson({ code });
      return;
    }
    print(`${code}\n`);
    note('Enter it at /console of the server to make the first account. Earlier codes ended.\n');
  });
}
