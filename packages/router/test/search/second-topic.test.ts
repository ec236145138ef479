import type { Topic } from '@trawl/contract';
import type { TopicRanking } from '@trawl/providers';
import { describe, expect, it } from 'vitest';
import { planRoutes } from '../../src/search/route.ts';

const rows = (...providers: string[]) =>
  providers.map((provider) => ({ provider, reason: 'because', source: 'https://example.com' }));
const ranking: TopicRanking = {
  companies: rows('exa', 'linkup', 'tavily'),
  people_profiles: rows('parallel', 'exa', 'you'),
};
const set = {
  slugs: ['brave', 'exa'],
  fallback: null,
  skipped: [],
  notes: [],
  candidates: ['brave', 'exa', 'linkup', 'parallel', 'tavily', 'you'],
  unable: new Map(),
  keyless: new Set<string>(),
  last: new Set<string>(),
};

/** Routes one query that is about `topic`, and may as well be about `second`. */
async function route(topic: Topic, second: Topic | null, keyless: readonly string[] = []) {
  const choice = { topic, score: 0.4, likely: [{ topic, score: 0.4 }], second };
  const own = { ...set, keyless: new Set(keyless) };
  const { routing } = await planRoutes(['a query'], own, new AbortController().signal, {
    topics: async () => [choice],
    ranking,
    reportFault: () => {},
  });
  return { ...routing?.[0] };
}

describe('a query that may be about either of two topics', () => {
  it('goes to the best providers on both, in turns, and says so', async () => {
    expect(await route('companies', 'people_profiles')).toMatchObject({
      topic: 'companies',
      second_topic: 'people_profiles',
      providers: ['exa', 'parallel', 'linkup'],
    });
  });

  it('goes to those of its topic alone where that one is clear', async () => {
    const entry = await route('companies', null);
    expect(entry.providers).toEqual(['exa', 'linkup', 'tavily']);
    expect(entry).not.toHaveProperty('second_topic');
  });

  it.each([
    ['companies', 'general', ['exa', 'linkup', 'tavily']],
    ['general', 'companies', ['brave', 'exa']],
  ] as const)(
    'of %s or %s follows the first, as one of them has no ranking',
    async (topic, second, providers) => {
      const entry = await route(topic, second);
      expect(entry.providers).toEqual(providers);
      expect(entry).not.toHaveProperty('second_topic');
    },
  );
});

it('a service without a key is asked on its topic only where too few others are', async () => {
  const providers = async (second: Topic | null, ...keyless: string[]) =>
    (await route('companies', second, keyless)).providers;
  expect(await providers(null, 'exa')).toEqual(['linkup', 'tavily', 'brave']);
  expect(await providers('people_profiles', 'exa', 'parallel')).toEqual([
    'linkup',
    'tavily',
    'you',
  ]);
  expect(await providers(null, 'exa', 'linkup', 'brave', 'you')).toEqual([
    'tavily',
    'parallel',
    'exa',
  ]);
});
