import type { InteractionDiff, SessionSummary } from '@trawl/client';
import { sumOf } from '@trawl/client/terminal/output';
import type { Style } from '@trawl/client/terminal/style';
import { serveHttp } from '@trawl/test-support/loopback';
import { describe, expect, it, vi } from 'vitest';
import { spentText } from '../src/client/session-cost.ts';
import { ageMinutes } from '../src/client/watches.ts';
import { changesText, diffText, totalsText } from '../src/commands/diff.ts';
import { showNews } from '../src/commands/watch-news.ts';

const plain = (text: string) => text;
const STYLE = { bold: plain, good: plain, bad: plain, warning: plain } as unknown as Style;

type Run = InteractionDiff['queries'][number]['runs'][number];
const side = (given: object = {}) => ({
  status: 'succeeded',
  latency_ms: 310,
  cost_usd: 0.007,
  ...given,
});
const run = (given: object = {}): Run =>
  ({
    ...{ provider: 'exa', before: side(), after: side({ latency_ms: null, cost_usd: 0 }) },
    ...{ added: [], gone: [], moved: [], changed: [], same: 0 },
    ...given,
  }) as unknown as Run;
const changed = run({
  added: [{ url: 'd', title: 'D', rank: 3 }],
  gone: [
    { url: 'c', title: null, rank: 4 },
    { url: 'g', title: 'G', rank: 5 },
  ],
  moved: [{ url: 'a', title: 'A', from: 1, to: 2 }],
  changed: [
    { url: 'a', rank: 2, texts: ['title', 'summary'], title: { before: null, after: 'A' } },
  ],
  same: 4,
});

describe('what differs between two searches', () => {
  it('is a line for each run and each row, with both ranks, times and costs', () => {
    const failed = run({
      before: side(),
      after: side({ status: 'failed', latency_ms: 5 }),
      same: 1,
    });
    const queries = [
      { before: 'tides', after: 'tides', runs: [changed, run({ provider: 'you', before: null })] },
      { before: 'one', after: null, runs: [failed, run({ provider: 'brave', after: null })] },
    ];
    expect(diffText({ queries } as InteractionDiff, STYLE).split('\n')).toEqual([
      'tides',
      '  exa  1 added, 2 gone, 1 moved, 1 changed, 4 the same, 310 ms → not sent, $0.0070 → $0.0000',
      '    + 3 d D',
      '    - 4 c',
      '    - 5 g G',
      '    1 → 2 a A',
      '    ~ a title, summary – → A',
      '  you  ran only in the later search',
      'one → –',
      '  exa  succeeded → failed, 0 added, 0 gone, 0 moved, 0 changed, 1 the same, 310 ms → 5 ms, $0.0070 → $0.0070',
      '  brave  ran only in the earlier search',
      '',
    ]);
  });

  it('is summed up over all runs of all queries', () => {
    const queries = [{ runs: [changed, run({ same: 2 })] }, { runs: [changed] }];
    expect(totalsText({ queries } as unknown as InteractionDiff)).toBe(
      '3 runs: 2 added, 4 gone, 2 moved, 2 changed, 10 the same',
    );
    expect(changesText(changed)).toBe('1 added, 2 gone, 1 moved, 1 changed, 4 the same');
    expect([sumOf([0.1, 0.2, 0.3]), sumOf([0.1, null]), sumOf([])]).toEqual([
      expect.closeTo(0.6),
      null,
      0,
    ]);
  });
});

describe('the news of a watch', () => {
  const WATCH = '01a1ff24-4a97-70bc-9093-196c553bde4a';
  it('are read page by page until the last, or as many as are wanted', async () => {
    const all = Array.from({ length: 1_205 }, (_, index) => ({ sequence: index + 1 }));
    const asked: string[] = [];
    const server = await serveHttp((response, { url = '' }) => {
      const { searchParams } = new URL(url, 'http://localhost');
      const [after, limit] = [Number(searchParams.get('after')), Number(searchParams.get('limit'))];
      asked.push(`${after} ${limit}`);
      const news = all.slice(after, after + limit);
      const next = after + limit < all.length ? { next_after: String(after + limit) } : {};
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ watch_id: 'w', news, ...next }));
    });
    const printed: string[] = [];
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed.push(String(text));
      return true;
    });
    const read = async (flags: object) => {
      printed.length = 0;
      asked.length = 0;
      const environment = { SERVICE_BASE_URL: server.url, SERVICE_API_KEY: 'tk_x' };
      await showNews(environment, WATCH, { json: true, ...flags });
      return (JSON.parse(printed.join('')).news as { sequence: number }[]).map(
        ({ sequence }) => sequence,
      );
    };
    try {
      expect(await read({})).toEqual(all.map(({ sequence }) => sequence));
      expect(new Set(asked).size).toBe(asked.length);
      expect(asked.length).toBeGreaterThan(1);
      expect(await read({ limit: '1003', after: '2' })).toEqual(
        all.slice(2, 1_005).map(({ sequence }) => sequence),
      );
    } finally {
      write.mockRestore();
    }
  });

  it('begin at an age in minutes, hours or days', () => {
    expect(['15m', '2h', '3d', '0m', '5', 'x'].map(ageMinutes)).toEqual([
      15,
      120,
      4_320,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('what a session cost', () => {
  const spent = (
    [succeeded, failed]: readonly [number, number],
    [cost_usd, unpriced_calls]: readonly [number | null, number],
  ): string =>
    spentText({
      ...{ first_input: null, deleted_interactions: 0, run_count: succeeded + failed },
      ...{ outcomes: { succeeded, partial: 0, failed }, cost_usd, unpriced_calls },
    } satisfies SessionSummary);

  it('is a word where nothing was paid', () => {
    expect(spent([0, 0], [null, 0])).toBe('no calls');
    expect(spent([1, 0], [0, 0])).toBe('free');
    expect(spent([0, 2], [0, 0])).toBe('no answer');
    expect(spent([1, 1], [0.012, 0])).toBe('$0.0120');
    expect(spent([1, 0], [0.012, 2])).toBe('$0.0120 and 2 calls of unknown price');
    expect(spent([1, 0], [null, 1])).toBe('1 call of unknown price');
  });
});
