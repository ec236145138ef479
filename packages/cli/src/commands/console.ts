import { systemClock } from '@trawl/base';
import { note, print, printJson } from '@trawl/client/terminal/output';
import type { Command } from 'commander';
import type { Runtime, ServerEntry } from '../program/runtime.ts';

/** `trawl console` */
export function addConsole(program: Command, { runtime }: ServerEntry): void {
  const console = program
    .command('console')
    .description("the server's console, a web page at /console");
  console
    .command('reset <email>')
    .description('make a link with which a person sets a new password; it works once, for an hour')
    .option('--json', 'print JSON')
    .action(async (email: string, options) => printPasswordLink(await runtime(), email, options));
  console
    .command('code')
    .description('make the one-time code that the first account needs; the code before it ends')
    .option('--json', 'print JSON')
    .action(async (options) => printConsoleCode(await runtime(), options));
}

/**
 * Prints a link with which a person of the console sets a new password.
 * @throws Error when the console or its passwords are switched off, or the address has no account
 */
async function printPasswordLink(
  runtime: Runtime,
  email: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const { createPasswordLink } = await import('@trawl/console-api');
  const { readConfig } = await import('@trawl/server');
  const { withDatabase } = await import('../keys/key-database.ts');
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

/**
 * Prints a new one-time code for the first account of the console.
 * @throws Error when the console is switched off, or an account exists
 */
async function printConsoleCode(
  runtime: Runtime,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const { createSetupCode } = await import('@trawl/console-api');
  const { readConfig } = await import('@trawl/server');
  const { withDatabase } = await import('../keys/key-database.ts');
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
