import type { KeyProfile, SearchOptions } from '@trawl/contract';
import { describe, expect, it } from 'vitest';
import { usableProfile, withFetchProfile, withSearchProfile } from '../src/profile/key-profile.ts';

const merged = (own: SearchOptions, defaults: KeyProfile['search'], more: object = {}) =>
  withSearchProfile(
    { user_input: { query: 'q' }, search: own, ...more },
    defaults ? { search: defaults } : {},
  ).search;

describe('a search with the defaults of its key', () => {
  it('has each of them that it does not say itself', () => {
    const defaults: KeyProfile['search'] = {
      tier: 'extended',
      fallback: 'auto',
      filters: { language: 'de' },
      providers: { include: ['exa'], exclude: ['you'] },
    };
    expect(merged({ num_results: 3 }, defaults)).toEqual({ num_results: 3, ...defaults });
    expect(merged({ tier: 'max', fallback: 'off' }, defaults)).toMatchObject({
      tier: 'max',
      fallback: 'off',
      filters: { language: 'de' },
    });
    expect(merged({ fields: ['url'] }, defaults)?.tier).toBeUndefined();
    expect(merged({ num_results: 3 }, undefined)).toEqual({ num_results: 3 });
  });

  it('has the providers that it names instead, and leaves out those that it excludes', () => {
    const defaults = { providers: { include: ['exa', 'brave'], exclude: ['you'] } };
    const providers = (own: SearchOptions['providers'], more: object = {}) =>
      merged({ providers: own }, defaults, more)?.providers;
    expect(providers({ include: ['tavily'] })).toEqual({ include: ['tavily'] });
    expect(providers({ exclude: ['exa'] })).toEqual({ include: ['brave'], exclude: ['exa'] });
    expect(providers(undefined)).toEqual(defaults.providers);
    expect(providers(undefined, { preprocessor_names: ['tavily'] })).toBeUndefined();
  });

  it('takes filters that belong together from one side', () => {
    const defaults = {
      filters: { include_domains: ['a.example'], published_after: '2026-01-01', country: 'DE' },
    };
    const filters = (own: SearchOptions['filters']) => merged({ filters: own }, defaults)?.filters;
    expect(filters({ exclude_domains: ['b.example'] })).toEqual({
      exclude_domains: ['b.example'],
      published_after: '2026-01-01',
      country: 'DE',
    });
    expect(filters({ published_before: '2025-01-01', country: 'FR' })).toEqual({
      include_domains: ['a.example'],
      published_before: '2025-01-01',
      country: 'FR',
    });
    expect(filters(undefined)).toEqual(defaults.filters);
  });

  it('is left as it is where it asks no provider', () => {
    const request = { metadata: { step: 'x' } };
    expect(withSearchProfile(request, { search: { tier: 'max' } })).toBe(request);
  });
});

it('a fetch has the chain and the tier of its key, unless it says its own', () => {
  const profile: KeyProfile = { fetch: { providers: ['jina'], tier: 'max' } };
  const options = (own: object = {}) =>
    withFetchProfile({ urls: ['https://a.example/'], options: own }, profile).options;
  expect(options({ no_cache: true })).toEqual({ no_cache: true, providers: ['jina'], tier: 'max' });
  expect(options({ providers: ['exa'], tier: 'default' })).toEqual({
    providers: ['exa'],
    tier: 'default',
  });
});

describe('a profile with providers that are not known any more', () => {
  const known = (...names: string[]) => new Map(names.map((name) => [name, {}])) as never;
  const usable = (profile: KeyProfile) =>
    usableProfile(
      { profile },
      { searchProviders: known('exa', 'brave'), fetchProviders: known('jina') },
    );

  it('is used without them, and each is said once', () => {
    const { profile, notes } = usable({
      search: {
        tier: 'max',
        providers: { include: ['exa', 'nimbus'], exclude: ['cirrus', 'brave'] },
        fallback: ['nimbus', 'brave'],
      },
      fetch: { providers: ['jina', 'stratus'] },
    });
    expect(profile).toEqual({
      search: {
        tier: 'max',
        providers: { include: ['exa'], exclude: ['brave'] },
        fallback: ['brave'],
      },
      fetch: { providers: ['jina'] },
    });
    expect(notes.map(({ message }) => message.split(' ')[0]).toSorted()).toEqual([
      'cirrus',
      'nimbus',
      'stratus',
    ]);
  });

  it('leaves the choice to the deployment where none is left', () => {
    const { profile } = usable({
      search: { providers: { include: ['nimbus'] } },
      fetch: { providers: ['stratus'] },
    });
    expect(profile.search?.providers?.include).toBeUndefined();
    expect(profile.fetch?.providers).toBeUndefined();
    expect(usable({ search: { fallback: 'auto' } })).toEqual({
      profile: { search: { fallback: 'auto' } },
      notes: [],
    });
    expect(
      usableProfile(null, { searchProviders: known(), fetchProviders: known() }).profile,
    ).toEqual({});
  });
});
