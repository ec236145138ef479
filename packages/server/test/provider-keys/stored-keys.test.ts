import { randomBytes } from 'node:crypto';
import { systemClock } from '@trawl/base';
import type { AuditEntry, SealedKey, Store } from '@trawl/store';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sealKey } from '../../src/provider-keys/seal.ts';
import { keysInUse, openRows, openStoredKeys } from '../../src/provider-keys/stored-keys.ts';

type ProviderKeys = Store['providerKeys'];

const SECRET = randomBytes(32).toString('base64');
const config = (secretsKey: string | undefined = SECRET) => ({
  secretsKey,
  databaseUrl: 'postgres://no.such.host/',
  dataDir: '/nowhere',
});

async function setUp(settings = config(), rows: SealedKey[] = []) {
  vi.useFakeTimers();
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const store = { isDown: false };
  let ids = 0;
  const providerKeys: ProviderKeys = {
    list: async () => {
      if (store.isDown) throw new Error('down');
      return [...rows];
    },
    add: async (key) => void rows.push(key),
    remove: async (id) => {
      const at = rows.findIndex((row) => row.id === id);
      return at >= 0 && rows.splice(at, 1).length > 0;
    },
  };
  const entries: AuditEntry[] = [];
  const accounts = { audit: { write: async (entry: AuditEntry) => void entries.push(entry) } };
  const stored = await openStoredKeys({
    config: settings,
    store: {
      providerKeys,
      changing: (work) => work({ providerKeys, accounts } as never),
    },
    clock: {
      ...systemClock,
      newId: () => {
        ids += 1;
        return `id-${ids}`;
      },
    },
    log,
  });
  onTestFinished(() => {
    stored.stop();
    vi.useRealTimers();
  });
  const entryOf = ({ id }: { readonly id: string }) => ({ id }) as AuditEntry;
  const add = (provider: string, key: string) =>
    stored.add({ provider, key, createdBy: 'Ada' }, entryOf);
  const remove = (id: string) => stored.remove(id, entryOf);
  /** They are read twice a second. */
  const refresh = () => vi.advanceTimersByTimeAsync(500);
  return { rows, lines, store, stored, add, remove, refresh, entries };
}

const inUse = ({ stored }: Awaited<ReturnType<typeof setUp>>) => Object.fromEntries(stored.inUse());

describe('keys of providers that were set', () => {
  it('are in use at once, several of one provider in their order', async () => {
    const server = await setUp();
    let changes = 0;
    server.stored.onChange(() => {
      changes += 1;
    });
    const made = await server.add('exa', 'first-key-of-exa');
    expect(made).toMatchObject({ id: 'id-1', provider: 'exa', tail: '-exa', isOpen: true });
    await server.add('brave', 'the-key-of-brave');
    await server.add('exa', 'second-key-of-exa');
    await server.add('exa', 'short');
    expect(inUse(server)).toEqual({
      exa: ['first-key-of-exa', 'second-key-of-exa', 'short'],
      brave: ['the-key-of-brave'],
    });
    expect(changes).toBe(4);
    expect((await server.stored.list()).map(({ tail }) => tail)).toEqual([
      '-exa',
      'rave',
      '-exa',
      null,
    ]);
    expect(JSON.stringify([server.rows, await server.stored.list()])).not.toMatch(
      /first-key|second/,
    );
    expect(await server.stored.list()).toEqual(
      server.rows.map(({ sealed: _, ...row }) => ({ ...row, isOpen: true })),
    );

    expect(await server.remove('id-1')).toMatchObject({ id: 'id-1', provider: 'exa' });
    expect(await server.remove('id-1')).toBeUndefined();
    expect(inUse(server)).toMatchObject({ exa: ['second-key-of-exa', 'short'] });
    // each change once, and nothing for a key that is not there
    expect(server.entries.map(({ id }) => id)).toEqual(['id-1', 'id-2', 'id-3', 'id-4', 'id-1']);
  });

  it('are set once for a provider, and at most twenty', async () => {
    const server = await setUp();
    for (let count = 0; count < 20; count += 1)
      await server.add('exa', `key-number-${count}-of-exa`);
    expect(server.rows).toHaveLength(20);
    expect(await server.add('exa', 'one-more-key-of-exa')).toEqual({
      refused: 'exa has 20 keys, which is the most',
    });
    expect(await server.add('brave', 'key-number-0-of-exa')).toMatchObject({ provider: 'brave' });
    expect(await server.add('brave', 'key-number-0-of-exa')).toEqual({
      refused: 'This key of brave is set already',
    });
    expect(server.rows).toHaveLength(21);
  });

  it('that were sealed under another secret are not in use, which the log says once', async () => {
    const other = randomBytes(32);
    const row = (id: string, secret: Uint8Array, provider = 'exa'): SealedKey => ({
      ...{ id, provider, tail: 'tail', createdAt: '2026-01-01', createdBy: 'Ada' },
      sealed: sealKey(`key ${id}`, secret, { id, provider }),
    });
    const own = Buffer.from(SECRET, 'base64');
    const rows = [row('a', own), row('b', other), row('c', own), row('d', other, 'brave')];
    const server = await setUp(config(), rows);
    expect(inUse(server)).toEqual({ exa: ['key a', 'key c'] });
    expect((await server.stored.list()).map(({ isOpen }) => isOpen)).toEqual([
      true,
      false,
      true,
      false,
    ]);
    await server.remove('none');
    expect(server.lines.filter(({ level }) => level === 40).map(({ key_id }) => key_id)).toEqual([
      'b',
      'd',
    ]);
    expect(openRows(config(), rows).map(({ key }) => key)).toEqual([
      'key a',
      undefined,
      'key c',
      undefined,
    ]);
    expect(openRows(config(), [])).toEqual([]);
  });

  it('cannot be set without SECRETS_KEY on a database of several servers', async () => {
    const server = await setUp({ ...config(), secretsKey: undefined as never });
    expect(server.stored.obstacle()).toMatch(/^SECRETS_KEY is not set/);
    expect(await server.add('exa', 'a-key-of-exa')).toEqual({ refused: server.stored.obstacle() });
    expect((await setUp()).stored.obstacle()).toBeNull();
  });

  it('that cannot be read leave those in use as they are, which the log says once', async () => {
    const server = await setUp();
    await server.add('exa', 'first-key-of-exa');
    server.store.isDown = true;
    await server.refresh();
    await server.refresh();
    expect(inUse(server)).toEqual({ exa: ['first-key-of-exa'] });
    server.store.isDown = false;
    server.rows.length = 0;
    await server.refresh();
    expect(inUse(server)).toEqual({});
    expect(server.lines.map(({ level }) => level)).toEqual([40, 30]);
  });
});

it('keys of the environment come before those that were set', () => {
  expect(keysInUse(['env'], ['stored'])).toEqual(['env']);
  expect(keysInUse([], ['stored', 'more'])).toEqual(['stored', 'more']);
  expect(keysInUse([], undefined)).toEqual([]);
});
