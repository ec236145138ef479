/**
 * Pages that cost their reader as much as they can. `npm run chaos -- pages`.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE_PAGES, type Site, SLOW_PAGES, startSite } from './support/site.ts';
import {
  figure,
  hasProc,
  NEEDS_PROC,
  peakRssMb,
  resetPeak,
  rssMb,
  startProbe,
  startTrawl,
  type Trawl,
} from './support.ts';

/** The time for which an idle thread stays. */
const THREAD_IDLE_MS = 30_000;

interface Row {
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

let site: Site;
let server: Trawl;
let otherKey: string;
beforeAll(async () => {
  site = await startSite();
  server = await startTrawl({
    settings: {
      FETCH_CHAIN: 'direct',
      FETCH_ALLOW_PRIVATE_HOSTS: site.host,
      PAGE_CACHE_TTL_SECONDS: '0',
      PAGE_READ_TIMEOUT_MS: '5000',
    },
  });
  otherKey = await server.makeKey('other');
  await read(['ordinary']);
});
afterAll(async () => {
  await server.stop();
  await site.stop();
});

let asked = 0;

/** Fetches pages of the site, each with its own address. */
async function read(names: readonly string[], key = server.key) {
  const urls = names.map((name) => {
    asked += 1;
    return `http://${site.host}/${name}?${asked}`;
  });
  const answer = await server.call('/v1/fetch', { method: 'POST', key, body: { urls } });
  expect(answer.status, answer.text.slice(0, 500)).toBe(200);
  const rows: Row[] = JSON.parse(answer.text).preprocessor_runs[0].output_payload.fetched_results;
  return { rows, ms: answer.ms };
}

const repeated = (names: readonly string[], count: number): string[] =>
  Array.from({ length: count }, (_, at) => names[at % names.length] ?? '');

describe('hostile pages', () => {
  it('leave /healthz alone while 20 of them are read', async () => {
    const quiet = await startProbe(server.url);
    await pause(5_000);
    const alone = await quiet.stop();
    const probe = await startProbe(server.url);
    const names = HOSTILE_PAGES;
    const { rows, ms } = await read(repeated(names, 20));
    const seen = await probe.stop();
    figure('hostile-page', 'pages', rows.length);
    figure('hostile-page', 'all answered after', ms, 'ms');
    figure('hostile-page', 'healthz p99 before', alone.p99, 'ms');
    figure('hostile-page', 'healthz p50', seen.p50, 'ms');
    figure('hostile-page', 'healthz p99', seen.p99, 'ms');
    figure('hostile-page', 'healthz max', seen.max, 'ms');
    expect(seen.failed).toBe(0);
    // one such page stopped it for 16 s, and a loaded machine makes everything slow
    expect(seen.max).toBeLessThan(10_000);
  });

  it("delay another key's ordinary page by little, ten of them at once", async () => {
    const alone = await read(['ordinary'], otherKey);
    const hostile = read(repeated(SLOW_PAGES, 10));
    await site.asked(10);
    const behind = await read(['ordinary'], otherKey);
    const isOver = await Promise.race([hostile.then(() => true), pause(0, false)]);
    figure('hostile-pages', 'alone', alone.ms, 'ms');
    figure('hostile-pages', 'behind ten', behind.ms, 'ms');
    figure('hostile-pages', 'hostile ones still waiting', isOver ? 'no' : 'yes');
    expect(behind.rows).toMatchObject([{ status: 'succeeded' }]);
    // without turns it waits for all ten
    expect(isOver).toBe(false);
    await hostile;
  });

  it('end with a row error that names the limit, or are read', async () => {
    for (const name of [...HOSTILE_PAGES, ...SLOW_PAGES]) {
      const { rows, ms } = await read([name]);
      const [row] = rows;
      const said = /\(([^)]*?)(?:, HTTP 200)?\)/.exec(row?.error?.message ?? '')?.[1];
      figure('page-limits', name, `${row?.error?.code ?? 'read'} ${said ?? ''}`);
      figure('page-limits', `${name} took`, ms, 'ms');
      expect(ms).toBeLessThan(30_000);
      // a page within the limits may have an empty text
      expect(row?.error?.code ?? 'read').toMatch(/^(?:read|timeout|too_large|empty_page)$/);
      if (/^(?:timeout|too_large)$/.test(row?.error?.code ?? ''))
        expect(row?.error?.message).toMatch(/larger than|longer than|more than|deeper than/);
    }
  });

  it('leave their memory behind no longer than their threads', async ({ skip }) => {
    skip(!hasProc, NEEDS_PROC);
    await pause(THREAD_IDLE_MS + 10_000);
    const before = rssMb(server.pid);
    resetPeak(server.pid);
    for (let round = 0; round < 3; round += 1) await read(repeated(HOSTILE_PAGES, 20));
    const peak = peakRssMb(server.pid);
    await pause(THREAD_IDLE_MS + 10_000);
    const after = rssMb(server.pid);
    figure('page-memory', 'before', before, 'MB');
    figure('page-memory', 'peak', peak, 'MB');
    figure('page-memory', 'after 60 hostile pages', after, 'MB');
    expect(after).toBeLessThan(before * 2);
  });
});
