import { isoTime } from '@trawl/base';
import type { CountedAnswer } from '@trawl/router';
import { describe, expect, it } from 'vitest';
import { createSampling } from '../src/recorder/recorder.ts';

const answer = (provider: string): CountedAnswer => ({
  provider,
  id: 'one',
  othersFound: true,
  asked: 10,
  rows: 10,
  fields: 1,
  filled: 1,
});

describe('which answers are counted', () => {
  const of = (projectId: string, second: number, providers = ['exa']) => ({
    projectId,
    completedAt: isoTime(second * 1_000),
    counted: providers.map(answer),
  });

  it('are the first 500 of a project and provider in twenty seconds, and again in the next', () => {
    const countedOf = createSampling();
    const count = (second: number, projectId = 'busy') =>
      Array.from({ length: 600 }, () => countedOf(of(projectId, second))).flat().length;
    expect(count(20)).toBe(500);
    expect(count(39)).toBe(0);
    expect(count(39, 'other')).toBe(500);
    expect(count(40)).toBe(500);
  });

  it('are counted by provider', () => {
    const countedOf = createSampling();
    for (let made = 0; made < 500; made += 1) countedOf(of('busy', 1));
    const left = countedOf(of('busy', 1, ['exa', 'brave']));
    expect(left.map(({ provider }) => provider)).toEqual(['brave']);
  });
});
