import { SEARCH_PROVIDERS, TOPIC_RANKING } from '@trawl/providers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routed } from './support/routed-server.ts';
import { type Run, type SpecServer, startSpecServer } from './support/server.ts';

/** Without settings: the embedded classifier and the built-in ranking. */
let server: SpecServer;
beforeAll(async () => {
  server = await startSpecServer();
});
afterAll(() => server.stop());

/** Queries with an obvious topic. The test sets of the model measure its general accuracy. */
const PLAIN: Readonly<Record<string, string>> = {
  news: 'breaking news: latest updates on the election protests today',
  companies: 'startups that sell inventory software to restaurants',
  financial_filings: 'Apple 10-K 2022 annual report risk factors SEC filing',
  academic_papers: 'arXiv paper on contrastive learning of sentence embeddings',
  people_profiles: 'LinkedIn profile VP of engineering at a fintech in London',
  wikipedia_encyclopedia: 'Who painted the Mona Lisa and in which century?',
  finance_markets: 'TSLA stock price today',
  general: 'how to unclog a kitchen sink',
};

describe('2.10 topics recognized without any setting', () => {
  test('2.10 each query of a batch by its own topic, on the providers of that topic', async () => {
    const { json } = await routed(server, Object.values(PLAIN));
    expect(json.routing.map((entry: Run) => entry.topic)).toEqual(Object.keys(PLAIN));
    const roster = SEARCH_PROVIDERS.map(({ slug }) => slug);
    for (const { topic, score, providers } of json.routing) {
      expect(score).toBeGreaterThan(0);
      expect(roster).toEqual(expect.arrayContaining(providers));
      const rows = Object.entries(TOPIC_RANKING.topics).find(([name]) => name === topic)?.[1] ?? [];
      const best = rows.map(({ provider }) => provider).filter((slug) => slug !== 'serpapi');
      expect(providers).toEqual(rows.length > 0 ? best.slice(0, 3) : ['exa', 'brave']);
    }
    expect(server.logged()).not.toContain('topics could not be determined');
  });

  test.each(['', ' x ', '🌊', '?'.repeat(2_000), 'a '.repeat(5_000), '\u0000\ud800'])(
    '2.10 every query has a topic: %j',
    async (query) => {
      const answer = await server.search({
        user_input: { query: `${query}.` },
        search: { auto_routing: 'accuracy' },
      });
      const [{ second_topic, ...entry }, ...others] = answer.json.routing;
      expect(entry).toEqual({
        topic: expect.any(String),
        score: expect.any(Number),
        topics: expect.any(Array),
        providers: expect.any(Array),
      });
      expect(second_topic ?? entry.topics[1]?.topic).toBe(entry.topics[1]?.topic);
      expect(others).toEqual([]);
    },
  );
});
