import { describe, expect, it } from 'vitest';
import {
  FIRST_HEALTH,
  type KeptHealth,
  neededFrom,
  nextHealth,
  olderSpan,
  resetHealth,
} from '../../src/health/decide.ts';
import { type HealthAnswer, sumUp, WINDOW } from '../../src/health/measures.ts';

const NOW = Date.parse('2026-11-01T12:00:00Z');
const MINUTE = 60_000;
const WELL: KeptHealth = { ...FIRST_HEALTH, state: 'well', since: NOW - 90 * MINUTE };
const TITLE = 1;
const SUMMARY = 2;

const good = (more: Partial<HealthAnswer> = {}, minutesAgo = 0): HealthAnswer => ({
  answeredAt: NOW - minutesAgo * MINUTE,
  projectId: 'a',
  interactionId: `i${minutesAgo}`,
  othersFound: true,
  asked: 5,
  rows: 5,
  fields: TITLE | SUMMARY,
  filled: TITLE | SUMMARY,
  ...more,
});
const answers = (count: number, more: (at: number) => Partial<HealthAnswer> = () => ({})) =>
  Array.from({ length: count }, (_, at) => good(more(at), at));
const EMPTY = { rows: 0, filled: 0 };
const usual = sumUp(answers(500, (at) => (at % 25 === 0 ? EMPTY : {})));

const decide = (
  newest: readonly HealthAnswer[],
  { before = WELL, older = usual, inDay = 20 } = {},
) => nextHealth(before, { newest, older, inDay, now: NOW });

describe('the health of a provider', () => {
  it('is unknown with fewer than 20 answers in a day or 60 older ones, and well otherwise', () => {
    expect(decide(answers(WINDOW), { inDay: 19 }).state).toBe('unknown');
    expect(decide(answers(WINDOW), { older: sumUp(answers(59)) }).state).toBe('unknown');
    expect(decide(answers(WINDOW), { older: sumUp(answers(60)) }).state).toBe('well');
  });

  it.each([
    ['finds nothing where others find something', (at: number) => (at < 52 ? EMPTY : {}), 'empty'],
    [
      'is used alone and finds nothing',
      (at: number) => (at < 52 ? { ...EMPTY, othersFound: null } : {}),
      'empty',
    ],
    ['has half of the rows', () => ({ rows: 2 }), 'rows'],
    ['lacks a field', (at: number) => (at < 45 ? { filled: TITLE } : {}), 'field'],
  ] as const)('is ill where it %s', (_title, bad, kind) => {
    const health = decide(answers(WINDOW, bad));
    expect([health.state, health.since]).toEqual(['ill', NOW]);
    expect(health.measures.filter(({ worse }) => worse > 0.3).map((one) => one.kind)).toEqual([
      kind,
    ]);
    // the older half may be good still
    expect(decide(answers(WINDOW, (at) => (at < 30 ? bad(at) : {}))).state).toBe('doubtful');
  });

  it.each([
    ['nobody finds anything', { ...EMPTY, othersFound: false }],
    ['filters leave few rows', { asked: 0, rows: 1 }],
    ['a field was never asked for before', { fields: TITLE | 4, filled: TITLE }],
  ])('stays well where %s', (_title, odd) => {
    expect(decide(answers(WINDOW, () => odd)).state).toBe('well');
  });

  it('counts one project for half at most, where several ask', () => {
    const odd = answers(WINDOW, (at) => (at % 10 === 0 ? { projectId: 'b' } : EMPTY));
    expect(decide(odd).state).toBe('well');
    const both = answers(WINDOW, (at) => ({ ...EMPTY, projectId: at % 10 === 0 ? 'b' : 'a' }));
    expect(decide(both).state).toBe('ill');
  });

  it.each([
    ['few rows', { rows: 1, asked: 10 }],
    ['no rows', EMPTY],
    ['a field less', { filled: TITLE }],
  ])('one project alone makes nothing ill, with one answer or many: %s', (_title, odd) => {
    for (const count of [1, 2, 10, 30, 50, 59]) {
      const own = answers(WINDOW, (at) => (at < count ? { projectId: 'odd', ...odd } : {}));
      expect(decide(own).state, `${count}`).not.toBe('ill');
      const three = answers(WINDOW, (at) =>
        at < count ? { projectId: 'odd', ...odd } : { projectId: `${at % 2}` },
      );
      expect(decide(three).state, `${count} of three`).not.toBe('ill');
    }
    const all = answers(WINDOW, (at) => ({ projectId: at === 7 ? 'b' : 'a', ...odd }));
    expect(decide(all).state).toBe('ill');
  });

  const ILL: KeptHealth = {
    state: 'ill',
    since: NOW - 30.5 * MINUTE,
    countsFrom: 0,
    ill: { from: NOW - 90 * MINUTE, to: null, by: ['empty'] },
  };

  it('ends to be ill with 20 good answers, whatever came before them', () => {
    const since = (count: number) => answers(WINDOW, (at) => (at < count ? {} : EMPTY));
    expect(decide(since(10), { before: ILL }).state).toBe('ill');
    const over = decide(since(30), { before: ILL });
    expect(over.state).toBe('well');
    expect(over.ill).toEqual({ from: NOW - 90 * MINUTE, to: over.countsFrom, by: [] });
    // the bad ones from before do not count again
    expect(decide(since(30), { before: over }).state).toBe('well');
  });

  it('goes on to be ill where the good answers say nothing of the fault', () => {
    const byField = { ...ILL, ill: { from: 0, to: null, by: ['summary'] } };
    const titles = answers(WINDOW, () => ({ fields: TITLE, filled: TITLE }));
    expect(decide(titles, { before: byField }).state).toBe('ill');
    expect(decide(answers(WINDOW), { before: byField }).state).toBe('well');
    // nothing is known of before
    expect(decide(answers(WINDOW), { before: ILL, older: sumUp([]) }).state).toBe('ill');
    // nor do those of one project where others still find nothing
    const one = answers(WINDOW, (at) => (at === 3 ? { projectId: 'b' } : EMPTY));
    expect(decide(one, { before: ILL }).state).toBe('ill');
  });

  it('says what was bad, and is compared with the answers of before the illness', () => {
    const bad = answers(WINDOW, () => ({ rows: 1, filled: TITLE }));
    const { ill } = decide(bad);
    expect(ill).toEqual({ from: bad.at(-1)?.answeredAt, to: null, by: ['rows', 'summary'] });
    const DAY = 24 * 60 * MINUTE;
    const later = NOW + 40 * DAY;
    expect(olderSpan({ ill }, later)).toEqual({
      from: (ill?.from ?? 0) - 14 * DAY,
      until: ill?.from,
    });
    expect(neededFrom({ ill }, later)).toBeLessThan((ill?.from ?? 0) - 14 * DAY);
    expect(olderSpan({ ill: null }, later).until).toBe(later);
    expect(neededFrom({ ill: null }, later)).toBe(later - 16 * DAY);
    // one after a reset goes on with it
    const reset = resetHealth({ ...WELL, state: 'ill', ill }, NOW - 60 * MINUTE);
    const again = decide(bad, { before: { ...reset, state: 'unknown' } });
    expect([again.state, again.ill?.from]).toEqual(['ill', ill?.from]);
  });

  it('ends to be ill after a day without enough answers, and by a reset', () => {
    const ended = decide(
      answers(WINDOW, () => EMPTY),
      { before: ILL, inDay: 3 },
    );
    expect([ended.state, ended.countsFrom]).toEqual(['unknown', NOW]);
    const reset = resetHealth(ILL, NOW);
    expect(reset).toMatchObject({ state: 'unknown', since: NOW, countsFrom: NOW });
    expect(
      decide(
        answers(WINDOW, () => EMPTY),
        { before: reset },
      ).state,
    ).not.toBe('ill');
  });
});
