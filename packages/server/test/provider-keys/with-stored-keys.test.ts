import { randomBytes } from 'node:crypto';
import { databases } from '@trawl/test-support/databases';
import { at } from '@trawl/test-support/records';
import { expect, it } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { sealKey } from '../../src/provider-keys/seal.ts';
import { withStoredKeys } from '../../src/provider-keys/stored-keys.ts';

it('commands use the keys of each provider that were set, unless the environment has one', async () => {
  const [database] = databases;
  if (database === undefined) throw new Error('no database');
  const { store, location, cleanup } = await database.open();
  const [secret, other] = [randomBytes(32), randomBytes(32)];
  const add = (id: string, provider: string, by = secret) =>
    store.providerKeys.add({
      ...{ id, provider, tail: null, createdAt: at(0), createdBy: 'Ada' },
      sealed: sealKey(`key ${id}`, by, { id, provider }),
    });
  await add('a', 'exa');
  await add('b', 'brave');
  await add('c', 'exa');
  await add('d', 'you', other);
  await add('e', 'you', other);
  await add('f', 'tavily');
  const settings = (...credentials: string[]) => ({
    credentials,
    baseUrl: undefined,
    timeoutMs: undefined,
  });
  const config = {
    ...location,
    secretsKey: secret.toString('base64'),
    providers: {
      exa: settings(),
      brave: settings(),
      you: settings(),
      tavily: settings('of the environment'),
      jina: settings(),
    },
  } as unknown as Config;
  const { config: used, closed } = await withStoredKeys(config);
  await cleanup();
  const keys = Object.entries(used.providers).map(([slug, own]) => [slug, own.credentials]);
  expect(Object.fromEntries(keys)).toEqual({
    exa: ['key a', 'key c'],
    brave: ['key b'],
    you: [],
    tavily: ['of the environment'],
    jina: [],
  });
  expect(closed).toEqual(['you']);
});
