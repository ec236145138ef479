import { isoTime, systemClock } from '@trawl/base';
import { commandHere } from '@trawl/client/terminal/manifest';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { GRACE_MINUTES, type GracePeriod } from '@trawl/contract';
import type { ApiKey, KeyStore } from '@trawl/router';
import { rotateKey as rotate } from '@trawl/server';
import type { Runtime } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';
import { withKeys } from './key-database.ts';

interface Output {
  readonly json?: boolean;
}

const MINUTE_MS = 60_000;

/** Disables a key, or enables it again. */
export async function disableKey(
  runtime: Runtime,
  id: string,
  { isDisabled, json = false }: Output & { readonly isDisabled: boolean },
): Promise<void> {
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async (keys) => {
    const at = isDisabled ? isoTime(systemClock.now()) : null;
    if (!(await keys.disableKey(id, at))) throw unknownKey(id);
    if (json) printJson({ id, disabled: isDisabled });
    else note(`key ${id} is ${isDisabled ? 'disabled' : 'enabled'}\n`);
  });
}

export async function deleteKey(
  runtime: Runtime,
  id: string,
  { json = false }: Output,
): Promise<void> {
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async (keys) => {
    if (!(await keys.deleteKey(id, isoTime(systemClock.now())))) throw unknownKey(id);
    if (json) printJson({ id, deleted: true });
    else note(`key ${id} is deleted\n`);
  });
}

/** Makes a key with the same settings; the old one stays valid for the grace period. */
export async function rotateKey(
  runtime: Runtime,
  id: string,
  { grace, json = false }: Output & { readonly grace: string },
): Promise<void> {
  if (!isGrace(grace)) {
    throw new UsageError(`--grace takes one of ${Object.keys(GRACE_MINUTES).join(', ')}`);
  }
  await withKeys(runtime, { mayCreate: false, isQuiet: json }, async (keys) => {
    const old = await keyOf(keys, id);
    const graceMs = GRACE_MINUTES[grace] * MINUTE_MS;
    const made = await rotate(keys, systemClock, { old, graceMs, createdBy: null });
    if (!made) throw new Error(`key ${id} is revoked, or was rotated before`);
    const { expiresAt } = await keyOf(keys, id);
    if (json) {
      printJson({ id: made.record.id, key: made.key, replaces: id, old_expires_at: expiresAt });
      return;
    }
    print(`${made.key}\n`);
    note(`key ${made.record.id} replaces ${id}, which ends at ${expiresAt}\n`);
    note('It is shown only now: the database keeps a digest of it.\n');
  });
}

const isGrace = (text: string): text is GracePeriod => Object.hasOwn(GRACE_MINUTES, text);

async function keyOf(keys: KeyStore, id: string): Promise<ApiKey> {
  const key = (await keys.listKeys(undefined)).find((candidate) => candidate.id === id);
  if (!key) throw unknownKey(id);
  return key;
}

const unknownKey = (id: string): Error =>
  new Error(`no key has the id ${id}; see: ${commandHere()} keys list`);
