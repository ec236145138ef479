import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { digestOf, lastFourOf, newApiKey } from '../../src/auth/api-keys.ts';

describe('API keys', () => {
  it('are tk_ and 43 base62 digits for any random bytes', () => {
    expect(newApiKey(() => new Uint8Array(32))).toBe(`tk_${'0'.repeat(43)}`);
    const highest = newApiKey(() => new Uint8Array(32).fill(255));
    expect(highest).toMatch(/^tk_[0-9A-Za-z]{43}$/);
    for (let count = 0; count < 50; count += 1) {
      expect(newApiKey()).toMatch(/^tk_[0-9A-Za-z]{43}$/);
    }
  });

  it('contain all 256 bits: different bytes make different keys', () => {
    const keyOf = (index: number) =>
      newApiKey((bytes) => new Uint8Array(bytes).fill(1, index, index + 1));
    const keys = Array.from({ length: 32 }, (_, index) => keyOf(index));
    expect(new Set(keys).size).toBe(32);
    expect(newApiKey()).not.toBe(newApiKey());
  });

  it('are stored as SHA-256 in hex and the last four characters', () => {
    expect(digestOf('tk_abc')).toBe(createHash('sha256').update('tk_abc').digest('hex'));
    expect(digestOf(Buffer.from('tk_abc'))).toBe(digestOf('tk_abc'));
    expect(lastFourOf('tk_abcdef')).toBe('cdef');
  });
});
