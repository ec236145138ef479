import { collectingLog } from '@trawl/test-support/collecting-log';
import { afterEach, expect, it, vi } from 'vitest';
import { causeOf, createOutageLog } from '../src/faults/outage-log.ts';

afterEach(() => vi.useRealTimers());

function openLog() {
  const { log, lines } = collectingLog();
  const time = { ms: 0 };
  const outages = createOutageLog({ log, now: () => time.ms });
  return { lines, time, outages };
}

const refused = (cause = 'SQLITE_FULL') => ({
  cause,
  message: 'a request could not be served',
  error: new Error('no space'),
});

it('logs the first failure at once with its stack, then one line a second with a count', () => {
  const { lines, time, outages } = openLog();
  for (; time.ms < 5_000; time.ms += 1) outages.report(refused());
  outages.flush();
  expect(lines).toHaveLength(6);
  const [first, ...later] = lines;
  expect(first).toMatchObject({ err: { stack: expect.stringContaining('no space') } });
  expect(later.every((line) => !('err' in line))).toBe(true);
  const counted = later.reduce((sum, { count }) => sum + Number(count), 1);
  expect(counted).toBe(5_000);
});

it('logs the last count when no more failures come', () => {
  vi.useFakeTimers();
  const lines: unknown[] = [];
  const write = (fields: unknown) => lines.push(fields);
  const log = { warn: write, error: write };
  const outages = createOutageLog({ log, now: () => Date.now() });
  for (let failure = 0; failure < 10; failure += 1) outages.report(refused());
  expect(lines).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toEqual({ cause: 'SQLITE_FULL', count: 9 });
  vi.advanceTimersByTime(10_000);
  expect(lines).toHaveLength(2);
});

it('counts each cause separately, and all causes after the first 100 together', () => {
  const { lines, outages } = openLog();
  for (let cause = 0; cause < 150; cause += 1) outages.report(refused(`cause ${cause}`));
  outages.flush();
  expect(lines).toHaveLength(102);
  expect(lines.at(-1)).toMatchObject({ cause: 'other causes', count: 49 });
});

it('starts a new outage, with a stack, after a minute without failures', () => {
  const { lines, time, outages } = openLog();
  outages.report(refused());
  time.ms = 60_000;
  outages.report(refused());
  expect(lines.map((line) => 'err' in line)).toEqual([true, true]);
});

it('names the innermost cause without its text', () => {
  const inner = Object.assign(new Error('secret text'), { code: 'ECONNREFUSED' });
  expect(causeOf(new Error('outer', { cause: inner }))).toBe('Error ECONNREFUSED');
  expect(causeOf(new TypeError('x'))).toBe('TypeError');
  expect(causeOf('text')).toBe('unknown');
});
