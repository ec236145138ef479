import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeUses, readParameters } from '../src/declaration/parameters.ts';
import {
  clampedCount,
  countryOf,
  dayOf,
  daysBefore,
  daysOfTimeText,
  flag,
  hostList,
  hostOf,
  languageOf,
  orAbsent,
  passagesOf,
  rowCount,
  safeSearchOf,
  startOf,
  timeText,
  urlList,
  wholeNumber,
} from '../src/declaration/values.ts';

const REFUSED = 'refused';
const read = (schema: z.ZodType, value: unknown) => {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : REFUSED;
};
const TODAY = '2026-03-01';

describe('times of vendors', () => {
  it('are days before today, over months and years', () => {
    expect(daysBefore(TODAY, 1)).toBe('2026-02-28');
    expect(
      (['hour', 'day', 'week', 'month', 'year'] as const).map((span) => startOf(span, TODAY)),
    ).toEqual(['2026-03-01', '2026-02-28', '2026-02-22', '2026-01-30', '2025-03-01']);
  });

  it('are spans or ranges of days in the words of Google', () => {
    const days = (text: string) => [read(timeText, text) !== REFUSED, daysOfTimeText(text, TODAY)];
    expect(days('qdr:w')).toEqual([true, { published_after: '2026-02-22' }]);
    expect(days('qdr:m')).toEqual([true, { published_after: '2026-01-30' }]);
    expect(days('qdr:h')).toEqual([true, { published_after: '2026-03-01' }]);
    expect(days('cdr:1,cd_min:2/1/2026,cd_max:12/31/2026')).toEqual([
      true,
      { published_after: '2026-02-01', published_before: '2026-12-31' },
    ]);
    expect(days('cdr:1,cd_min:2/11/2026')).toEqual([
      true,
      { published_after: '2026-02-11', published_before: undefined },
    ]);
    expect(daysOfTimeText(undefined, TODAY)).toEqual({});
    expect([read(timeText, 'qdr:x'), read(timeText, 'last week')]).toEqual([REFUSED, REFUSED]);
  });

  it('are the day in UTC of a date-time', () => {
    expect([read(dayOf, '2026-05-01'), read(dayOf, '2026-05-01T01:00:00+02:00')]).toEqual([
      '2026-05-01',
      '2026-04-30',
    ]);
    expect(read(dayOf, 'yesterday')).toBe(REFUSED);
  });
});

describe('numbers and words of vendors', () => {
  it('are whole numbers, also as texts', () => {
    expect(
      [10, '10', ' +10.0 ', '10.5', 'ten', 10.5, ''].map((value) => read(wholeNumber, value)),
    ).toEqual([10, 10, 10, REFUSED, REFUSED, REFUSED, REFUSED]);
    expect([0, 1, 20, 21, '20'].map((value) => read(rowCount, value))).toEqual([
      REFUSED,
      1,
      20,
      REFUSED,
      20,
    ]);
    expect([0, 1, 20, 500, '-3', '7'].map((value) => read(clampedCount, value))).toEqual([
      1,
      1,
      20,
      20,
      REFUSED,
      7,
    ]);
  });

  it('are yes or no in the words of several languages', () => {
    for (const yes of [true, 1, 'True', 'yes', 'on', 't', 'Y', '1'])
      expect(read(flag, yes)).toBe(true);
    for (const no of [false, 0, 'False', 'none', 'off', 'f', 'N', '0'])
      expect(read(flag, no)).toBe(false);
    expect([read(flag, 'maybe'), read(flag, 2)]).toEqual([REFUSED, REFUSED]);
    expect([safeSearchOf(true), safeSearchOf(false), safeSearchOf(undefined)]).toEqual([
      'moderate',
      'off',
      undefined,
    ]);
    expect(
      ['None', 'null', 'undefined', '5'].map((value) => read(orAbsent(wholeNumber), value)),
    ).toEqual([undefined, undefined, undefined, 5]);
  });

  it('are hosts, URLs, languages and countries', () => {
    expect([hostOf('https://a.example/x/y'), hostOf('a.example'), hostOf('a.example/x')]).toEqual([
      'a.example',
      'a.example',
      'a.example',
    ]);
    expect([read(hostList, []), read(hostList, ['a', 'b']), read(hostList, undefined)]).toEqual([
      undefined,
      ['a', 'b'],
      undefined,
    ]);
    expect(read(hostList, Array(1_001).fill('a'))).toBe(REFUSED);
    expect([read(urlList, 'u'), read(urlList, ['u', 'v']), read(urlList, [])]).toEqual([
      ['u'],
      ['u', 'v'],
      REFUSED,
    ]);
    expect(
      ['en-US', 'de_at', 'FR', 'zh-Hans'].map((locale) => [languageOf(locale), countryOf(locale)]),
    ).toEqual([
      ['en', 'US'],
      ['de', 'AT'],
      ['fr', undefined],
      ['zh', undefined],
    ]);
    expect([passagesOf('a\n\nb\nc\n\n\n\nd'), passagesOf(null)]).toEqual([['a', 'b\nc', 'd'], []]);
  });
});

describe('parameters of a route', () => {
  const uses = {
    input: z.object({
      q: z.string(),
      n: rowCount.optional(),
      more: z.object({ a: z.int() }).optional(),
    }),
    mapped: { q: 'the query', n: 'num_results', more: 'more' },
    own: { depth: z.int() },
    ignored: { client: 'says which client it is' },
    refused: { stream: 'not available' },
  };

  it('are kept, sent on, ignored or unknown, and null is absent', () => {
    const sent = {
      q: 'x',
      n: null,
      depth: 2,
      client: 'c',
      stream: false,
      odd: 1,
      more: { a: 1, b: 2 },
    };
    expect(readParameters(uses, sent)).toEqual({
      input: { q: 'x', more: { a: 1 } },
      own: { depth: 2 },
      unknown: ['odd', 'more.b'],
    });
  });

  it.each([false, 0, '', 'False', 'none', 'no', [], {}])(
    'refused ones may be off: %j',
    (stream) => {
      expect(readParameters(uses, { q: 'x', stream })).not.toHaveProperty('message');
    },
  );

  it('name what is wrong', () => {
    expect(readParameters(uses, { q: 'x', stream: true })).toEqual({
      message: 'stream: not available',
      parameter: 'stream',
    });
    expect(readParameters(uses, {})).toEqual({
      message: 'q: a value is required',
      parameter: 'q',
      isMissing: true,
    });
    expect(readParameters(uses, { q: 'x', n: 50 })).toEqual({
      message: 'n: trawl returns at most 20 rows',
      parameter: 'n',
      isMissing: false,
    });
    expect(readParameters(uses, { q: 'x', more: { a: 'b' } })).toMatchObject({
      parameter: 'more.a',
    });
  });

  it('are listed for the docs by their use', () => {
    expect(describeUses(uses).map(({ name, use }) => [name, use])).toEqual([
      ['q', 'mapped'],
      ['n', 'mapped'],
      ['more', 'mapped'],
      ['depth', 'vendor only'],
      ['client', 'no effect'],
      ['stream', 'refused'],
    ]);
  });
});
