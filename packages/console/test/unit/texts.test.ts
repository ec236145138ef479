import { describe, expect, test } from 'vitest';
import { coloursOf, stacked } from '../../src/parts/chart-data.ts';
import { bytesText, exactMoney, moneyText, shareText } from '../../src/parts/number-text.ts';
import { absoluteTime, durationText, relativeTime } from '../../src/parts/time-text.ts';
import { hostOf, webAddress } from '../../src/parts/web-address.ts';

describe('money', () => {
  test.each([
    [0, '$0.00', '$0.000000'],
    [0.003142, '$0.003142', '$0.003142'],
    [31.415926, '$31.42', '$31.415926'],
    [0.005, '$0.005', '$0.005000'],
    [0.000007, '$0.000007', '$0.000007'],
    [1.5, '$1.50', '$1.500000'],
    [1_204.50321, '$1,204.50', '$1,204.503210'],
    [-2.5, '-$2.50', '-$2.500000'],
  ])('%d US dollars are %s, exactly %s', (usd, short, exact) => {
    expect([moneyText(usd), exactMoney(usd)]).toEqual([short, exact]);
  });
});

test.each([
  [0, '0 %'],
  [0.004, '0.4 %'],
  [0.125, '13 %'],
  [1, '100 %'],
])('the share %d is %s', (share, text) => {
  expect(shareText(share)).toBe(text);
});

test.each([
  [12, '12 B'],
  [3_400, '3.4 KB'],
  [1_230_000, '1.2 MB'],
])('%d bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

describe('time', () => {
  const now = Date.parse('2026-11-22T12:00:00.000Z');
  test.each([
    ['2026-11-22T11:59:55.000Z', 'just now'],
    ['2026-11-22T11:59:15.000Z', '45 seconds ago'],
    ['2026-11-22T11:58:01.000Z', '1 minute ago'],
    ['2026-11-22T09:00:00.000Z', '3 hours ago'],
    ['2026-11-20T12:00:00.000Z', '2 days ago'],
    ['2026-11-24T12:00:00.000Z', 'in 2 days'],
    ['2024-11-22T12:00:00.000Z', '2 years ago'],
  ])('%s is %s', (at, text) => {
    expect(relativeTime(new Date(at), now)).toBe(text);
  });

  test('has its zone and milliseconds where it is exact', () => {
    const at = new Date('2026-07-01T23:30:05.120Z');
    expect(absoluteTime(at, 'UTC')).toBe('2026-07-01 23:30:05.120 UTC');
    expect(absoluteTime(at, 'Asia/Kolkata')).toMatch(/^2026-07-02 05:00:05\.120 .+/);
  });

  test.each([
    [820, '820 ms'],
    [4_200, '4.2 s'],
    [185_000, '3 min 5 s'],
    [7_440_000, '2 h 4 min'],
  ])('%d milliseconds are %s', (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
  });
});

test.each([
  ['https://example.com/a', 'https://example.com/a'],
  ['http://example.com', 'http://example.com/'],
  ['javascript:alert(1)', undefined],
  ['JaVaScRiPt:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['/relative', undefined],
  ['', undefined],
  [null, undefined],
])('the address %s leads to %s', (written, address) => {
  expect(webAddress(written)).toBe(address);
});

test('the host is what a person calls it', () => {
  expect([hostOf('https://www.example.com/a'), hostOf('not an address')]).toEqual([
    'example.com',
    'not an address',
  ]);
});

test('stacked bars begin where those below end, and a gap stays one', () => {
  const series = [
    { name: 'a', values: [1, null, null, 0] },
    { name: 'b', values: [2, 3, null, 0] },
  ];
  expect(stacked(series)).toEqual([
    [1, null, null, 0],
    [3, 3, null, 0],
  ]);
});

test('a series has the colour of its name in every chart, and no two share one', () => {
  const names = ['exa', 'brave', 'tavily', 'parallel', 'you', 'firecrawl', '3 others'];
  const colours = coloursOf(names.map((name) => ({ name })));
  expect(new Set(colours).size).toBe(names.length);
  expect(coloursOf(names.toReversed().map((name) => ({ name })))).toEqual(colours.toReversed());
});
