import { note, print, printJson } from '@trawl/client/terminal/output';
import type { ApiKey } from '@trawl/router';
import type { Changer, KeyPlace } from '@trawl/server';
import type { Command } from 'commander';
import type { KeyDatabase } from '../keys/key-database.ts';
import type { KeyFlags } from '../keys/key-flags.ts';
import { DOMAINS, MONTHLY_BUDGET, type Output, RATE_LIMIT, TRAINING } from '../program/flags.ts';
import type { Runtime, ServerEntry } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';

/** `trawl keys limit`, `revoke`, `profile` and `policy` */
export function addKeyChanges(keys: Command, { runtime }: ServerEntry): void {
  keys
    .command('limit <id>')
    .description('limit a key; running servers follow within a second')
    .option('--rate-limit <n>', RATE_LIMIT)
    .option('--monthly-budget <usd>', MONTHLY_BUDGET)
    .option('--json', 'print JSON')
    .action(async (id: string, options) => limitKey(await runtime(), id, options));
  keys
    .command('revoke <id>')
    .description('revoke a key; running servers refuse it within a second')
    .option('--json', 'print JSON')
    .action(async (id: string, options) => revokeKey(await runtime(), id, options));
  keys
    .command('profile <id>')
    .description('show or change what a key asks for where its requests do not say')
    .option('--set <json|file>', 'the defaults, as JSON or a file with JSON')
    .option('--clear', 'remove them')
    .option('--json', 'print JSON')
    .action(async (id: string, options) => keyProfile(await runtime(), id, options));
  keys
    .command('policy <id>')
    .description('show or change which providers and pages a key may use; running servers follow')
    .option('--training <allow|deny>', TRAINING)
    .option('--domains <list>', DOMAINS)
    .option('--json', 'print JSON')
    .action(async (id: string, options) => keyPolicy(await runtime(), id, options));
}

/** `trawl keys disable` and `enable` */
export function addKeyStates(keys: Command, { runtime }: ServerEntry): void {
  keys
    .command('disable <id>')
    .description('refuse a key until it is enabled again')
    .option('--json', 'print JSON')
    .action(async (id: string, options) => disableKey(await runtime(), id, true, options));
  keys
    .command('enable <id>')
    .description('accept a disabled key again')
    .option('--json', 'print JSON')
    .action(async (id: string, options) => disableKey(await runtime(), id, false, options));
}

const limitKey = async (runtime: Runtime, id: string, options: KeyFlags & Output) =>
  changing(runtime, id, options, {
    change: await setting(options),
    show: (key, { limitsText }) => note(`limits of key ${id}: ${limitsText(key)}\n`),
  });

const revokeKey = (runtime: Runtime, id: string, options: Output) =>
  changing(runtime, id, options, {
    change: (keys, where, changer) => keys.revoke(where, changer),
    show: () => note(`key ${id} is revoked\n`),
  });

/** Shows the defaults of a key, or changes them. */
async function keyProfile(
  runtime: Runtime,
  id: string,
  { set, clear = false, ...options }: Output & { readonly set?: string; readonly clear?: boolean },
): Promise<void> {
  if (clear && set !== undefined) throw new UsageError('--set and --clear exclude each other');
  const profile = clear ? null : set;
  return changing(runtime, id, options, {
    change: await setting(profile === undefined ? {} : { profile }),
    show: (key) => {
      if (key.profile === null) note(`key ${id} has no profile\n`);
      else print(`${JSON.stringify(key.profile, null, 2)}\n`);
    },
  });
}

/** Shows or changes which data a key may send where. */
const keyPolicy = async (runtime: Runtime, id: string, options: KeyFlags & Output) =>
  changing(runtime, id, options, {
    change: await setting(options),
    show: (key, { policyText }) => note(`key ${id}: ${policyText(key)}\n`),
  });

/** Disables a key, or enables it again. */
const disableKey = (runtime: Runtime, id: string, disabled: boolean, options: Output) =>
  changing(runtime, id, options, {
    change: (keys, where, changer) => keys.change(where, { disabled }, changer),
    show: () => note(`key ${id} is ${disabled ? 'disabled' : 'enabled'}\n`),
  });

type Change = (keys: KeyDatabase['keys'], where: KeyPlace, changer: Changer) => Promise<void>;

/** What the flags change. @throws UsageError */
async function setting(flags: KeyFlags): Promise<Change> {
  const { readKeyChange } = await import('../keys/key-flags.ts');
  const sent = readKeyChange(flags);
  return (keys, where, changer) => keys.change(where, sent, changer);
}

/** Changes a key, and shows it as it is then. */
async function changing(
  runtime: Runtime,
  id: string,
  { json = false }: Output,
  {
    change,
    show,
  }: {
    readonly change: Change;
    readonly show: (key: ApiKey, texts: typeof import('../keys/keys-output.ts')) => void;
  },
): Promise<void> {
  const { COMMAND_LINE, withKeys } = await import('../keys/key-database.ts');
  const texts = await import('../keys/keys-output.ts');
  const { keyJson } = await import('@trawl/server');
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async ({ keys, keyOf }) => {
    const { projectId, id: keyId } = await keyOf(id);
    await change(keys, { projectId, keyId }, COMMAND_LINE);
    const key = await keyOf(keyId);
    if (json) printJson(keyJson(key));
    else show(key, texts);
  });
}
