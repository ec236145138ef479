import type { ConsoleKey } from '@trawl/contract/console';
import { describe, expect, test, vi } from 'vitest';
import {
  bodyOf,
  changesOf,
  draftOf,
  EMPTY_DRAFT,
  faultsOf,
  type KeyDraft,
} from '../../src/pages/keys/key-draft.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const DAY_MS = 86_400_000;

const keyWith = (given: Partial<ConsoleKey>) =>
  ({
    name: 'a key',
    permissions: ['search', 'read'],
    expires_at: null,
    rate_limit: null,
    monthly_budget_usd: null,
    allowed_providers: null,
    no_training: false,
    allowed_domains: null,
    profile: null,
    login_client: null,
    ...given,
  }) as unknown as ConsoleKey;
const draft = (given: Partial<KeyDraft> = {}): KeyDraft => ({
  ...EMPTY_DRAFT,
  name: 'a',
  ...given,
});

describe('the expiry of a key', () => {
  test.each([
    ['America/New_York', '2026-07-01T08:30'],
    ['Asia/Kolkata', '2026-07-01T18:00'],
    ['UTC', '2026-07-01T12:30'],
  ])('is shown in the time of %s, and sent as it was', (zone, shown) => {
    vi.stubEnv('TZ', zone);
    const key = keyWith({ expires_at: '2026-07-01T12:30:00.000Z' });
    expect(draftOf(key)).toMatchObject({ expiry: 'custom', expiresAt: shown });
    expect(bodyOf(draftOf(key), NOW).expires_at).toBe('2026-07-01T12:30:00.000Z');
    vi.unstubAllEnvs();
  });

  test.each([
    ['7', 7],
    ['30', 30],
    ['90', 90],
    ['365', 365],
  ] as const)('of %s days is that many days from now', (expiry, days) => {
    const expected = new Date(NOW + days * DAY_MS).toISOString();
    expect(bodyOf(draft({ expiry }), NOW).expires_at).toBe(expected);
  });

  test('is in the future, or missing', () => {
    expect(bodyOf(draft({ expiresAt: '2027-01-01T00:00' }), NOW).expires_at).toBeNull();
    const at = (time: number) =>
      draft({ expiry: 'custom', expiresAt: new Date(time).toISOString() });
    expect(faultsOf(at(NOW), NOW)).toHaveProperty('expiry');
    expect(faultsOf(at(NOW + 1), NOW)).toEqual({});
    expect(faultsOf(draft({ expiry: 'custom', expiresAt: '' }), NOW)).toHaveProperty('expiry');
  });
});

describe('the form of a key', () => {
  const SETTINGS = {
    name: 'full',
    rate_limit: 60,
    monthly_budget_usd: 2.5,
    allowed_providers: ['exa', 'brave'],
    no_training: true,
    allowed_domains: ['example.com', 'example.org'],
    profile: { search: { tier: 'minimalist' }, fetch: { providers: ['jina', 'exa'] } },
  } as const;
  const FULL = keyWith(SETTINGS as unknown as Partial<ConsoleKey>);

  test('shows each setting of the key, and sends the same', () => {
    expect(draftOf(FULL)).toMatchObject({
      name: 'full',
      expiry: 'never',
      rateLimit: '60',
      budget: '2.5',
      providers: ['exa', 'brave'],
      noTraining: true,
      domains: 'example.com, example.org',
      fetchChain: 'jina, exa',
    });
    expect(bodyOf(draftOf(FULL), NOW)).toEqual({
      ...SETTINGS,
      permissions: ['search', 'read'],
      expires_at: null,
    });
    expect(draftOf(keyWith({}))).toMatchObject({ rateLimit: '', budget: '', domains: '' });
  });

  test('sends only what was changed', () => {
    const before = draftOf(FULL);
    expect(changesOf(before, before, NOW)).toEqual({});
    const after = { ...before, budget: '0.5', domains: '', profile: {}, fetchChain: '' };
    expect(changesOf(before, after, NOW)).toEqual({
      monthly_budget_usd: 0.5,
      allowed_domains: null,
      profile: null,
    });
    expect(changesOf(before, { ...before, name: ' full ' }, NOW)).toEqual({});
  });

  test.each<[string, Partial<KeyDraft>, string]>([
    ['a name of spaces', { name: '  ' }, 'general'],
    ['no permission', { permissions: [] }, 'permissions'],
    ['no provider', { providers: [] }, 'providers'],
    [
      'a default without a provider',
      { profile: { search: { providers: { include: [] } } } },
      'defaults',
    ],
    ['half a request', { rateLimit: '1.5' }, 'limits'],
    ['no request', { rateLimit: '0' }, 'limits'],
    ['a budget below zero', { budget: '-1' }, 'limits'],
    ['a budget that is a word', { budget: 'much' }, 'limits'],
  ])('refuses %s', (_, given, section) => {
    expect(Object.keys(faultsOf(draft(given), NOW))).toEqual([section]);
  });

  test('accepts a budget of nothing, and spaces around numbers', () => {
    expect(faultsOf(draft({ budget: '0', rateLimit: ' 60 ' }), NOW)).toEqual({});
    const body = bodyOf(
      draft({ budget: ' 0 ', rateLimit: ' 60 ', domains: ' a.example,b.example ' }),
      NOW,
    );
    expect(body).toMatchObject({
      monthly_budget_usd: 0,
      rate_limit: 60,
      allowed_domains: ['a.example', 'b.example'],
    });
  });
});
