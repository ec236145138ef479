import type { ApiKey, KeyStore } from '@trawl/router';
import { apiKey as anyKey } from '@trawl/test-support/records';
import { digestOf } from '../../src/auth/api-keys.ts';

export const apiKey = (overrides: Partial<ApiKey> = {}): ApiKey =>
  anyKey('project-1', {
    id: 'key-1',
    permissions: ['search', 'fetch', 'read', 'manage'],
    ...overrides,
  });

/** The part of a key store that authentication uses, with a count of its queries. */
export function memoryKeyStore() {
  const keys = new Map<string, ApiKey>();
  const asked = { findKey: 0, revision: 0 };
  let revision = 1;
  const store: Pick<KeyStore, 'findKey' | 'revision'> = {
    async findKey(digest) {
      asked.findKey += 1;
      return keys.get(digest);
    },
    async revision() {
      asked.revision += 1;
      return revision;
    },
  };
  return {
    store,
    asked,
    put(token: string, key: ApiKey) {
      keys.set(digestOf(token), key);
      revision += 1;
    },
  };
}
