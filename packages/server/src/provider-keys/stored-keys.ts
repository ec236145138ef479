import { type Clock, isoTime } from '@trawl/base';
import { type AuditEntry, readSealedKeys, type SealedKey, type Store } from '@trawl/store';
import { keyTailOf } from '@trawl/upstream';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { openKey, sealKey } from './seal.ts';
import { ensureSecretsKey, readSecretsKey } from './secrets-key.ts';

/** How often the keys are read, in milliseconds: every server knows a change within a second. */
const POLL_MS = 500;
/** Keys of one provider. */
const KEYS_MAX = 20;

/** A provider's key that was set in the console, without the key. */
export interface SetKey extends Omit<SealedKey, 'sealed'> {
  /** false = it was sealed under another secret, or changed since. */
  readonly isOpen: boolean;
}

export interface NewProviderKey {
  readonly provider: string;
  readonly key: string;
  /** The name of the person who sets it. */
  readonly createdBy: string;
}

interface Reading {
  /** As this server uses them now: by provider, the oldest first. */
  inUse(): ReadonlyMap<string, readonly string[]>;
  /** Called after the keys in use have changed. */
  onChange(listener: () => void): void;
  /** Reads what is stored now. Never rejects. */
  refresh(): Promise<void>;
  stop(): void;
}

/** The keys of providers that operators set in the console. */
export interface StoredKeys extends Omit<Reading, 'refresh'> {
  /** Why no key can be set; null = one can. */
  obstacle(): string | null;
  list(): Promise<readonly SetKey[]>;
  /** With its audit entry in the same transaction. `refused`: why it was not set. */
  add(key: NewProviderKey, entryOf: EntryOf): Promise<SetKey | { readonly refused: string }>;
  /** The key that was removed, as above; undefined = there was none of this id. */
  remove(id: string, entryOf: EntryOf): Promise<SetKey | undefined>;
}

/** The audit entry of a change of a key. */
type EntryOf = (key: SetKey) => AuditEntry;

export interface StoredKeysOptions {
  readonly config: Pick<Config, 'secretsKey' | 'databaseUrl' | 'dataDir'>;
  readonly store: Pick<Store, 'providerKeys' | 'changing'>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Reads the keys, and then again twice a second. */
export async function openStoredKeys(options: StoredKeysOptions): Promise<StoredKeys> {
  const { config, store, clock } = options;
  const { refresh, ...reading } = readRepeatedly(options);
  await refresh();
  return {
    ...reading,
    obstacle: () => {
      const found = readSecretsKey(config);
      return found && 'problem' in found ? found.problem : null;
    },
    list: async () =>
      openRows(config, await store.providerKeys.list()).map(({ row, key }) =>
        setKey(row, key !== undefined),
      ),
    add: async ({ provider, key, createdBy }, entryOf) => {
      const found = ensureSecretsKey(config);
      if ('problem' in found) return { refused: found.problem };
      const own = (await store.providerKeys.list()).filter((row) => row.provider === provider);
      if (own.some((row) => openKey(row.sealed, found.secret, row) === key)) {
        return { refused: `This key of ${provider} is set already` };
      }
      if (own.length >= KEYS_MAX) {
        return { refused: `${provider} has ${KEYS_MAX} keys, which is the most` };
      }
      const id = clock.newId();
      const sealed = sealKey(key, found.secret, { provider, id });
      const tail = keyTailOf(key);
      const row = { id, provider, sealed, tail, createdAt: isoTime(clock.now()), createdBy };
      const made = setKey(row, true);
      await store.changing(async ({ providerKeys, accounts }) => {
        await providerKeys.add(row);
        await accounts.audit.write(entryOf(made));
      });
      await refresh();
      return made;
    },
    remove: async (id, entryOf) => {
      const row = (await store.providerKeys.list()).find((known) => known.id === id);
      if (!row) return undefined;
      const removed = setKey(row, true);
      const isRemoved = await store.changing(async ({ providerKeys, accounts }) => {
        if (!(await providerKeys.remove(id))) return false;
        await accounts.audit.write(entryOf(removed));
        return true;
      });
      if (!isRemoved) return undefined;
      await refresh();
      return removed;
    },
  };
}

const setKey = ({ sealed: _, ...row }: SealedKey, isOpen: boolean): SetKey => ({ ...row, isOpen });

/** A row, and its key; undefined = it was sealed under another secret. */
interface OpenRow {
  readonly row: SealedKey;
  readonly key: string | undefined;
}

/** Opens rows by the secret as it is now, which is read only where there are rows. */
export function openRows(
  config: StoredKeysOptions['config'],
  rows: readonly SealedKey[],
): readonly OpenRow[] {
  if (rows.length === 0) return [];
  const found = readSecretsKey(config);
  const secret = found && 'secret' in found ? found.secret : undefined;
  return rows.map((row) => ({ row, key: secret && openKey(row.sealed, secret, row) }));
}

/** The keys of a provider that are used: the environment's, or else stored ones. */
export const keysInUse = (
  environment: readonly string[],
  stored: readonly string[] | undefined = [],
): readonly string[] => (environment.length > 0 ? environment : stored);

const CLOSED =
  'a key of a provider is not used: it was sealed under another SECRETS_KEY. Give the server that one, or remove the key in the console and set it again';

function readRepeatedly({ config, store, log }: StoredKeysOptions): Reading {
  const listeners: (() => void)[] = [];
  let stored: string | undefined;
  let inUse: ReadonlyMap<string, readonly string[]> = new Map();
  let isFailing = false;
  let reading: Promise<void> = Promise.resolve();

  async function read(): Promise<void> {
    try {
      use(openRows(config, await store.providerKeys.list()));
      if (isFailing) log.info('the keys of providers in the database can be read again');
      isFailing = false;
    } catch (err) {
      if (!isFailing) log.warn({ err }, 'the keys of providers in the database cannot be read');
      isFailing = true;
    }
  }

  function use(rows: readonly OpenRow[]): void {
    // a row that was closed opens once its secret is back
    const now = rows.map(({ row, key }) => `${row.id} ${key !== undefined}`).join();
    if (now === stored) return;
    stored = now;
    const opened = new Map<string, readonly string[]>();
    for (const { row, key } of rows) {
      if (key === undefined) log.warn({ provider: row.provider, key_id: row.id }, CLOSED);
      else opened.set(row.provider, [...(opened.get(row.provider) ?? []), key]);
    }
    inUse = opened;
    for (const listener of listeners) listener();
  }

  // one after the other: a read that began before a change must not be the last one
  const refresh = (): Promise<void> => {
    reading = reading.then(read);
    return reading;
  };
  let isPolling = false;
  const timer = setInterval(async () => {
    if (isPolling) return;
    isPolling = true;
    await refresh();
    isPolling = false;
  }, POLL_MS).unref();
  return {
    inUse: () => inUse,
    onChange: (listener) => {
      listeners.push(listener);
    },
    refresh,
    stop: () => clearInterval(timer),
  };
}

/** Settings with the keys of providers that a server on this database would use. */
interface ConfigWithKeys {
  readonly config: Config;
  /** Providers with a stored key that SECRETS_KEY does not open. */
  readonly closed: readonly string[];
}

/** For commands on the server's machine. The environment's keys win over stored ones. */
export async function withStoredKeys(config: Config): Promise<ConfigWithKeys> {
  const rows = await readSealedKeys(config);
  if (rows.length === 0) return { config, closed: [] };
  const opened = openRows(config, rows);
  const providers = Object.entries(config.providers).map(([slug, own]) => {
    const stored = opened.flatMap(({ row, key }) => (row.provider === slug && key ? [key] : []));
    return [slug, { ...own, credentials: keysInUse(own.credentials, stored) }] as const;
  });
  const closed = opened.flatMap(({ row, key }) => (key === undefined ? [row.provider] : []));
  return {
    config: { ...config, providers: Object.fromEntries(providers) },
    closed: [...new Set(closed)],
  };
}
