import { describe, expect, test } from 'vitest';
import { learnFromEvaluation } from '../src/learn/learn-routing.ts';
import { REPORT_FORMAT } from '../src/measure/evaluation-report.ts';

/** What one provider got on a query. `ms` null = it was not asked. */
interface Answered {
  readonly quality: number;
  readonly ms?: number | null;
}

interface Asked {
  readonly topic?: string | null;
  /** Against pages that others agree on, instead of gold pages. */
  readonly isAgreed?: boolean;
  readonly answers: Readonly<Record<string, Answered>>;
}

/** On news: exa and linkup do not run. */
const FIRST = ['brave', 'tavily', 'you'];

function learned(asked: readonly Asked[], inUse: object | undefined = { news: FIRST }) {
  const scores = asked.map(({ topic = 'news', isAgreed = false, answers }, index) => ({
    query: String(index),
    topic,
    providers: Object.entries(answers).map(([provider, { quality, ms = 500 }]) => ({
      ...{ provider, latency_ms: ms, success: null, agreed_success: null, answers: null },
      ndcg: isAgreed || ms === null ? null : quality,
      agreed_ndcg: isAgreed && ms !== null ? quality : null,
      failure: null,
    })),
  }));
  const report = {
    ...{ format: REPORT_FORMAT, created_at: '2026-03-01T00:00:00.000Z', scores, in_use: inUse },
    ...{ first_call_at: null, last_call_at: null, set: { name: 'mine' } },
    rows: { real: 10, simulated: 0 },
  };
  return learnFromEvaluation(JSON.stringify(report), new Date('2026-03-31T12:00:00.000Z'));
}

const many = (count: number, asked: (index: number) => Asked): readonly Asked[] =>
  Array.from({ length: count }, (_, index) => asked(index));

/** The sixth of its answers is bad, so that gains differ. */
const useful = (index: number, ms = 500): Answered => ({ quality: index % 6 === 5 ? 0 : 1, ms });
const useless = (ms = 500): Answered => ({ quality: 0, ms });

/** linkup finds what is right; tavily does so now and then. */
const better = (index: number): Asked => ({
  answers: {
    brave: useful(index),
    tavily: index % 4 === 0 ? useful(index) : useless(),
    you: useful(index),
    linkup: useful(index),
  },
});

describe('what is learned from an evaluation', () => {
  test('finds a provider that is better, and proposes the order with it', () => {
    const { lessons, proposal, counts } = learned(many(80, better));
    expect(counts).toEqual({ queries: 80, judged: 80, unrouted: 0 });
    expect(lessons).toMatchObject([
      {
        ...{ topic: 'news', queries: 80, labels: { gold: 80, agreement: 0 }, first: FIRST },
        providers: [{}, {}, {}, { provider: 'tavily' }],
        test: {
          ...{ provider: 'linkup', replaces: 'tavily', decision: 'better' },
          ...{ pairs: 80, tested: 40, pairsMissing: 0 },
        },
      },
    ]);
    const { gain, oracleGain, shuffled } = lessons[0]?.test ?? {};
    expect(gain?.low).toBeGreaterThan(0);
    expect(oracleGain).toBeGreaterThanOrEqual(gain?.mean ?? 1);
    expect(Math.abs(shuffled?.mean ?? 1)).toBeLessThan((gain?.mean ?? 0) / 5);
    expect(shuffled?.high).toBeLessThan(gain?.mean ?? 0);
    expect(proposal).toEqual({
      version: 'evaluated 2026-03-31T12:00:00.000Z on mine',
      topics: {
        news: [
          { provider: 'brave' },
          {
            provider: 'linkup',
            reason: expect.stringContaining('in the place of tavily: on 40 queries'),
            source: `trawl evaluate learn, ${proposal?.version}`,
          },
          { provider: 'you' },
          { provider: 'tavily' },
        ],
      },
    });
  });

  test('others that were measured follow, best first', () => {
    const { proposal } = learned(
      many(80, (index) => {
        const { answers } = better(index);
        return { answers: { ...answers, slow: useful(index, 4_000), exa: useful(index, 2_000) } };
      }),
    );
    const order = proposal?.topics.news?.map(({ provider }) => provider);
    expect(order).toEqual(['brave', 'linkup', 'you', 'tavily', 'exa', 'slow']);
  });

  test('with labels that do not depend on the provider, nothing is proposed', () => {
    // each answer is right as often as any other, in an order that no provider has a part in
    const isRight = (index: number, place: number) =>
      ((index * 7 + place * 11) * 2_654_435_761) % 97 < 48;
    const { lessons, proposal } = learned(
      many(80, (index) => ({
        answers: Object.fromEntries(
          ['brave', 'tavily', 'you', 'linkup'].map((provider, place) => [
            provider,
            isRight(index, place) ? useful(1) : useless(),
          ]),
        ),
      })),
    );
    expect(proposal).toBeNull();
    expect(lessons[0]?.test?.decision).not.toBe('better');
  });

  test('a fast provider that finds little does not win', () => {
    const { lessons, proposal } = learned(
      many(60, (index) => ({
        answers: {
          brave: useful(index, 4_000),
          tavily: useful(index, 4_000),
          you: useful(index, 4_000),
          // right in half of the cases, so its quality per second is higher
          linkup: index % 2 === 0 ? useful(index, 10) : useless(10),
        },
      })),
    );
    expect([lessons[0]?.providers[0]?.provider, proposal]).toEqual(['linkup', null]);
    expect(lessons[0]?.test).toMatchObject({ decision: 'worse' });
  });

  test('a provider that finds the same in less time wins', () => {
    const { lessons } = learned(
      many(60, (index) => ({
        answers: {
          brave: useful(index, 1_000),
          tavily: useful(index, 8_000),
          you: useful(index, 1_000),
          linkup: useful(index, 700),
        },
      })),
    );
    expect(lessons[0]?.test).toMatchObject({ replaces: 'tavily', decision: 'better' });
  });

  test('too little data: how many queries are missing', () => {
    const { lessons, proposal } = learned(many(16, better));
    expect(proposal).toBeNull();
    expect(lessons[0]).toMatchObject({
      queries: 16,
      test: { decision: 'not separable', pairs: 16 },
    });
    expect(lessons[0]?.test?.pairsMissing).toBeGreaterThanOrEqual(24);
  });

  test('nothing is tested where no other provider was measured, or the order in use is not known', () => {
    const asked = many(3, (index) => ({
      answers: { brave: useful(index), tavily: useful(index), you: useful(index) },
    }));
    expect(learned(asked).lessons).toMatchObject([{ first: FIRST, test: null }]);
    const unknown = learned(many(80, better), {});
    expect([unknown.lessons, unknown.proposal]).toMatchObject([[{ first: [], test: null }], null]);
    // as a report of a version before has it
    expect(learned(many(3, better), null as never).lessons).toMatchObject([{ first: [] }]);
  });

  test('gold counts before agreement, and a provider that was not asked does not count', () => {
    const { lessons, counts } = learned([
      { answers: { brave: { quality: 1 }, linkup: { quality: 0 } } },
      { isAgreed: true, answers: { brave: { quality: 1 }, linkup: { quality: 0.5 } } },
      { answers: { brave: { quality: 1 }, linkup: { quality: 0, ms: null } } },
    ]);
    expect(counts).toEqual({ queries: 3, judged: 2, unrouted: 0 });
    expect(lessons).toMatchObject([
      {
        labels: { gold: 1, agreement: 1 },
        providers: [
          { provider: 'brave', queries: 2, quality: 1 },
          { provider: 'linkup', queries: 2, quality: 0.25 },
        ],
      },
    ]);
  });

  test('topics without an order, and queries without a topic, are counted alone', () => {
    const answers = { brave: { quality: 1 }, linkup: { quality: 0 } };
    const { lessons, counts } = learned([
      { topic: 'general', answers },
      { topic: null, answers },
      { topic: 'news', answers },
    ]);
    expect(counts).toEqual({ queries: 3, judged: 2, unrouted: 1 });
    expect(lessons.map(({ topic, queries }) => [topic, queries])).toEqual([['news', 1]]);
  });

  test.each(['', '{', '[]', '{"format": "trawl-evaluation/1"}'])('%j is refused', (text) => {
    expect(() => learnFromEvaluation(text, new Date())).toThrow('write it with trawl evaluate');
  });
});
