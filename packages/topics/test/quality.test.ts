import { TOPICS } from '@trawl/contract';
import { describe, expect, it } from 'vitest';
import {
  type Answer,
  bestOf,
  calibrationError,
  marginAuroc,
  marginBands,
  reliability,
  setsOf,
  topShare,
} from '../../../training/topics/quality.ts';

const rest = TOPICS.slice(2).map(() => 0);
/** The probabilities of the first two topics, and which of them is right. */
const answer = (first: number, second: number, wanted: 0 | 1): Answer => ({
  wanted: TOPICS[wanted] ?? 'general',
  probabilities: [first, second, ...rest],
});

describe('measures of answers', () => {
  const answers = [
    answer(0.9, 0.1, 0),
    answer(0.8, 0.2, 0),
    answer(0.6, 0.4, 1),
    answer(0.2, 0.8, 1),
  ];

  it('count the right ones among the best', () => {
    expect(answers.map(bestOf)).toEqual([TOPICS[0], TOPICS[0], TOPICS[0], TOPICS[1]]);
    expect([topShare(answers, 1), topShare(answers, 2)]).toEqual([0.75, 1]);
  });

  it('count the topics that it takes to be sure', () => {
    expect(setsOf(answers, 0.75)).toEqual({ covered: 1, meanSize: 1.25 });
    expect(setsOf(answers, 0.5)).toEqual({ covered: 0.75, meanSize: 1 });
  });

  it('rate the margin: 1 where all wrong answers have a smaller one', () => {
    expect(marginAuroc(answers)).toBe(1);
    expect(marginAuroc([answer(0.9, 0.1, 1), answer(0.6, 0.4, 0)])).toBe(0);
  });

  it('show from which margin on the first topic is right more often than the second', () => {
    const close = [answer(0.52, 0.48, 0), answer(0.51, 0.49, 1)];
    const clear = [answer(0.62, 0.38, 1), answer(1, 0, 0), answer(0.8, 0.2, 0)];
    const [toss, , , , wide, , sure] = marginBands([...close, ...clear]);
    expect(toss).toEqual({ from: 0, to: 0.05, queries: 2, first: 0.5, second: 0.5 });
    expect(wide).toEqual({ from: 0.2, to: 0.3, queries: 1, first: 0, second: 1 });
    expect(sure).toEqual({ from: 0.5, to: 1, queries: 2, first: 1, second: 0 });
  });

  it('compare scores with how often they are right', () => {
    const sure = Array.from({ length: 4 }, (_, at) => answer(0.75, 0.25, at === 0 ? 1 : 0));
    expect(reliability(sure)).toEqual([{ from: 0.7, queries: 4, meanScore: 0.75, right: 0.75 }]);
    expect(calibrationError(sure)).toBe(0);
    expect(calibrationError([answer(1, 0, 1)])).toBe(1);
  });
});
