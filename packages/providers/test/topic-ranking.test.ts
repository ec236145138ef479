import { TOPICS } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import { rankedProviders, SEARCH_PROVIDERS, TOPIC_RANKING } from '../src/index.ts';

const slugs = SEARCH_PROVIDERS.map(({ slug }) => slug);
const { topics } = TOPIC_RANKING;

describe('the topic ranking', () => {
  test('ranks every topic but those whose queries run on the usual providers', () => {
    const ranked = TOPICS.filter((topic) => topics[topic] !== undefined);
    const usual = ['finance_markets', 'general'];
    expect([...ranked, ...usual]).toEqual(TOPICS);
    expect(TOPIC_RANKING.version).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test.each(Object.entries(topics))(
    '%s: known providers, each once, with reason and source',
    (_topic, rows) => {
      const names = rows.map(({ provider }) => provider);
      expect(names.filter((name) => !slugs.includes(name))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
      for (const { reason, source } of rows) {
        expect(reason).toMatch(/^\S.{20,}[^.\s]$/);
        expect(new URL(source).protocol).toBe('https:');
      }
    },
  );

  test.each(Object.entries(topics))(
    '%s: at least five providers that auto-routing may choose',
    (_topic, rows) => {
      const chosen = SEARCH_PROVIDERS.filter(
        ({ slug, autoRoutable }) => autoRoutable && rows.some(({ provider }) => provider === slug),
      );
      expect(chosen.length).toBeGreaterThanOrEqual(5);
    },
  );
});

describe('candidates by the ranking', () => {
  const row = (provider: string) => ({
    provider,
    reason: 'because',
    source: 'https://example.com',
  });
  const ranking = { news: [row('brave'), row('exa'), row('you')] };

  test('are best first; those it does not name follow in the order given', () => {
    const candidates = ['ceramic', 'you', 'linkup', 'brave'];
    expect(rankedProviders('news', candidates, ranking)).toEqual([
      'brave',
      'you',
      'ceramic',
      'linkup',
    ]);
  });

  test('keep their order on a topic without a ranking', () => {
    expect(rankedProviders('companies', ['you', 'exa'], ranking)).toEqual(['you', 'exa']);
  });

  test('come in turns where either of two topics may be the right one', () => {
    const both = { ...ranking, companies: [row('linkup'), row('brave')] };
    const candidates = ['ceramic', 'you', 'linkup', 'brave', 'exa'];
    expect(rankedProviders('news', candidates, both, 'companies')).toEqual([
      'brave',
      'linkup',
      'exa',
      'you',
      'ceramic',
    ]);
  });
});
