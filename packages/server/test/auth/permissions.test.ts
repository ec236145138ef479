import { PERMISSIONS } from '@trawl/contract';
import { describe, expect, it } from 'vitest';
import { requirePermission } from '../../src/auth/permissions.ts';
import { apiKey } from './memory-key-store.ts';

describe('permissions', () => {
  it.each([
    ['search', ['search']],
    ['fetch', ['fetch']],
    ['read', ['read', 'manage']],
    ['manage', ['manage']],
  ] as const)('%s is granted by %s', (permission, granting) => {
    for (const granted of granting) {
      expect(() => requirePermission(apiKey({ permissions: [granted] }), permission)).not.toThrow();
    }
    const others = PERMISSIONS.filter((other) => !granting.some((granted) => granted === other));
    expect(() => requirePermission(apiKey({ permissions: others }), permission)).toThrow(
      expect.objectContaining({
        status: 403,
        detail: expect.stringContaining(`"${permission}"`),
        typed: { code: 'forbidden' },
      }),
    );
  });

  it('refuses a fetch with the reason that the key may not execute fetches', () => {
    expect(() => requirePermission(apiKey({ permissions: [] }), 'fetch')).toThrow(
      'This API key may not execute fetches: it lacks the permission "fetch"',
    );
  });
});
