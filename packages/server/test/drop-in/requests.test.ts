import type { FetchAsk, SearchAsk } from '@trawl/drop-ins';
import { createDeployment } from '@trawl/router';
import { apiKey } from '@trawl/test-support/records';
import { describe, expect, it } from 'vitest';
import {
  fetchRequest,
  isAskedItself,
  searchProvidersOf,
  searchRequest,
} from '../../src/drop-in/requests.ts';

const settings = (credentials: readonly string[] = ['a-key']) => ({
  credentials,
  baseUrl: undefined,
  timeoutMs: undefined,
});
const deployment = createDeployment({
  defaultSearchProviders: undefined,
  searchFallback: undefined,
  fetchChain: ['jina', 'exa', 'tavily', 'direct'],
  prices: { version: '1', providers: {} },
  providers: { exa: settings(), brave: settings(), tavily: settings(), you: settings([]) },
});
type Key = Parameters<typeof apiKey>[1];
const key = (given: Key = {}) => apiKey('project', given);

const search = (ask: Partial<SearchAsk> = {}, slug = 'tavily', given: Key = {}) =>
  searchRequest(
    { query: 'tides', numResults: 7, fields: ['excerpt'], filters: {}, own: {}, ...ask },
    slug,
    deployment,
    key(given),
  );
const optionsOf = (...given: Parameters<typeof search>) =>
  search(...given).body.search as Readonly<Record<string, unknown>>;
const FIELDS = ['url', 'title', 'rank', 'summary', 'excerpt'];
const only = (...include: string[]) => ({ include });

describe('a search of a vendor’s client', () => {
  it('runs on that vendor where it is set up, with what only that one has', () => {
    const ask = { own: { depth: 2 }, ownFields: ['favicon'] as const, filters: { language: 'de' } };
    expect(search(ask)).toEqual({
      path: '/v1/interactions',
      isOwnChoice: true,
      body: {
        user_input: { query: 'tides' },
        postprocessor_names: ['rank_fusion'],
        metadata: { compat: 'tavily' },
        search: {
          num_results: 7,
          fields: [...FIELDS, 'favicon'],
          fallback: 'auto',
          filters: { language: 'de' },
          providers: only('tavily'),
          provider_overrides: { tavily: { depth: 2 } },
        },
      },
    });
  });

  it.each<[string, string, Key]>([
    ['it is not set up', 'you', {}],
    ['the key may not use it', 'tavily', { allowedProviders: ['exa'] }],
    ['the profile names others', 'tavily', { profile: { search: { providers: only('exa') } } }],
    [
      'the profile excludes it',
      'tavily',
      { profile: { search: { providers: { exclude: ['tavily'] } } } },
    ],
  ])('runs on the default set, without what only that one has, where %s', (_, slug, given) => {
    const ask = { own: { depth: 2 }, ownFields: ['favicon'] as const };
    expect(search(ask, slug, given).isOwnChoice).toBe(false);
    expect(optionsOf(ask, slug, given)).toEqual({
      num_results: 7,
      fields: FIELDS,
      fallback: 'auto',
    });
    expect(isAskedItself(slug, deployment, key(given))).toBe(false);
  });

  it('keeps the providers and the fallback of the profile of its key', () => {
    const profile = { search: { providers: only('exa', 'tavily'), fallback: ['brave'] } };
    const ask = { own: { depth: 2 } };
    expect(optionsOf(ask, 'tavily', { profile })).toEqual({
      num_results: 7,
      fields: FIELDS,
      provider_overrides: { tavily: { depth: 2 } },
    });
    expect(search(ask, 'tavily', { profile }).isOwnChoice).toBe(false);
  });

  it('names one provider by its own word, and has a later page of that vendor only', () => {
    expect(optionsOf({ provider: 'brave', own: { depth: 2 } })).toEqual({
      ...{ num_results: 7, fields: FIELDS, fallback: 'auto', providers: only('brave') },
    });
    const profile = { search: { fallback: 'auto' as const } };
    for (const given of [{}, { profile }]) {
      expect(optionsOf({ isLaterPage: true }, 'tavily', given)).toEqual({
        ...{ num_results: 7, fields: FIELDS, fallback: 'off', providers: only('tavily') },
      });
    }
  });
});

describe('a fetch of a vendor’s client', () => {
  const ask: FetchAsk = { urls: ['https://example.com/'], tier: 'default', contentFormat: 'text' };
  const providersOf = (slug: string, given: Key = {}) =>
    (fetchRequest(ask, slug, deployment, key(given)).body.options as { providers?: unknown })
      .providers;

  it('asks that vendor first, then those of the chain that the key may use', () => {
    // jina needs no key for pages
    expect(providersOf('tavily')).toEqual(['tavily', 'jina', 'exa', 'direct']);
    expect(providersOf('exa')).toEqual(['exa', 'jina', 'tavily', 'direct']);
    expect(providersOf('tavily', { allowedProviders: ['tavily', 'direct'] })).toEqual([
      'tavily',
      'direct',
    ]);
  });

  it('leaves the chain to the server or the profile where that vendor cannot be asked', () => {
    expect(providersOf('firecrawl')).toBeUndefined();
    expect(providersOf('tavily', { allowedProviders: ['exa'] })).toBeUndefined();
    expect(providersOf('tavily', { profile: { fetch: { providers: ['exa'] } } })).toBeUndefined();
  });

  it('passes on the age that is wanted, where 0 is no cache at all', () => {
    const optionsFor = (maxAgeSeconds?: number) =>
      fetchRequest({ ...ask, maxAgeSeconds }, 'firecrawl', deployment, key()).body.options;
    expect(optionsFor(0)).toMatchObject({ no_cache: true });
    expect(optionsFor(60)).toMatchObject({ max_age_seconds: 60 });
    expect(optionsFor()).toEqual({
      tier: 'default',
      content_format: 'text',
      inline_max_chars: expect.any(Number),
    });
    expect(fetchRequest(ask, 'tavily', deployment, key())).toMatchObject({
      path: '/v1/fetch',
      isOwnChoice: false,
      body: { urls: ask.urls, metadata: { compat: 'tavily' } },
    });
  });
});

it('the providers that a client may name are those that are set up, and its key may use', () => {
  const all = searchProvidersOf(deployment, key());
  expect(all).toEqual(expect.arrayContaining(['exa', 'brave', 'tavily']));
  expect(all).not.toContain('you');
  expect(searchProvidersOf(deployment, key({ allowedProviders: ['brave', 'you'] }))).toEqual([
    'brave',
  ]);
});
