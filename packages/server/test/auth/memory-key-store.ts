import type { ApiKey, KeyStore } from '@trawl/router';
import { digestOf } from '../../src/auth/api-keys.ts';

export function apiKey(overrides: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 'key-1',
    projectId: 'project-1',
    name: 'test',
    lastFour: '0000',
    permissions: ['search', 'fetch', 'read', 'manage'],
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: null,
    revokedAt: null,
    disabledAt: null,
    createdBy: null,
    allowedProviders: null,
    noTraining: false,
    allowedDomains: null,
    profile: null,
    rotatedFrom: null,
    isHidden: false,
    rateLimit: null,
    monthlyBudgetMicros: null,
    ...overrides,
  };
}

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
