import { TOPICS, type Topic } from '@trawl/contract';
import { describe, expect, it } from 'vitest';
import { choiceOf } from '../src/source/topic-source.ts';

const scoresOf = (some: Partial<Record<Topic, number>>): Record<Topic, number> => ({
  ...(Object.fromEntries(TOPICS.map((topic) => [topic, 0])) as Record<Topic, number>),
  ...some,
});

describe('likely topics', () => {
  it.each([
    ['one that is sure', { news: 0.97, general: 0.03 }, ['news']],
    [
      'two that together are sure',
      { news: 0.6, companies: 0.36, general: 0.04 },
      ['news', 'companies'],
    ],
    [
      'as many as it takes',
      { news: 0.4, general: 0.3, companies: 0.2, finance_markets: 0.1 },
      ['news', 'general', 'companies', 'finance_markets'],
    ],
  ] as const)('are %s', (_, scores, expected) => {
    const { topic, score, likely } = choiceOf('news', scoresOf(scores));
    expect([topic, score]).toEqual(['news', scores.news]);
    expect(likely.map((one) => one.topic)).toEqual(expected);
    expect(likely.map((one) => one.score)).toEqual(expected.map((one) => scoresOf(scores)[one]));
  });

  it('begin with the topic that is routed by, even where another has a higher score', () => {
    const { likely } = choiceOf('general', scoresOf({ news: 0.5, companies: 0.3, general: 0.2 }));
    expect(likely.map((one) => one.topic)).toEqual(['general', 'news', 'companies']);
  });

  it('name the second topic only where the scores are closer than the margin', () => {
    const scores = scoresOf({ news: 0.4, companies: 0.3, general: 0.3 });
    expect(choiceOf('news', scores, 0.15).second).toBe('companies');
    expect(choiceOf('news', scores, 0.1).second).toBeNull();
    expect(choiceOf('news', scores).second).toBeNull();
  });
});
