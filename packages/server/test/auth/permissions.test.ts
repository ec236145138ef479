import { PERMISSIONS } from '@trawl/contract';
import { describe, expect, it } from 'vitest';
import { requirePermission } from '../../src/auth/permissions.ts';
import { apiKey } from './memory-key-store.ts';

describe('permissions', () => {
  it.each(PERMISSIONS)('%s is granted by itself alone', (permission) => {
    expect(() =>
      requirePermission(apiKey({ permissions: [permission] }), permission),
    ).not.toThrow();
    const others = PERMISSIONS.filter((other) => other !== permission);
    expect(() => requirePermission(apiKey({ permissions: others }), permission)).toThrow(
      expect.objectContaining({
        status: 403,
        detail: expect.stringContaining(`"${permission}"`),
        typed: { code: 'forbidden' },
      }),
    );
  });

  it('says of a fetch that the key may not execute fetches', () => {
    expect(() => requirePermission(apiKey({ permissions: [] }), 'fetch')).toThrow(
      'This API key may not execute fetches: it lacks the permission "fetch"',
    );
  });
});
