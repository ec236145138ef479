import type { FetchRow } from '@trawl/contract';
import { describe, expect, it } from 'vitest';
import type { ConfiguredFetchProvider, ConfiguredVendor } from '../../src/deployment/deployment.ts';
import type { WantedPage } from '../../src/fetch/chain.ts';
import { cancelledFetch, forbidden } from '../../src/fetch/chain-result.ts';
import type { PageOptions } from '../../src/fetch/command.ts';
import { fetchCommand } from '../../src/fetch/command.ts';
import { costOf } from '../../src/fetch/cost.ts';
import { sharedKey } from '../../src/fetch/pages.ts';
import { plannedCalls } from '../../src/fetch/price.ts';
import { fetchRun } from '../../src/fetch/record.ts';
import { isUnavailable, unavailableError } from '../../src/fetch/unavailable.ts';
import { reportedCost, usageOf } from '../../src/interaction/cost.ts';
import type { Caller } from '../../src/interaction/head.ts';
import { ALL_PROVIDERS } from '../../src/keys/allowed-providers.ts';

const URLS = ['https://example.com/a', 'https://example.com/b', 'https://example.com/c'];
const target = (url: string) => ({ url, parsed: new URL(url), comparable: url });
const provider = (slug: string, more: object = {}) => ({ declaration: { slug }, ...more }) as never;

describe('fetches that may share a page', () => {
  const key = (given: object = {}, caller: Partial<Caller> = {}, slugs = ['jina', 'direct']) =>
    sharedKey(
      {
        target: target(URLS[0] ?? ''),
        chain: slugs.map((slug) => provider(slug)),
        options: { ...fetchCommand({ urls: URLS, options: given }).options },
      } as WantedPage,
      { projectId: 'project', allowedDomains: null, ...caller } as Caller,
    );

  it('have the same page, providers, options, project and hosts', () => {
    const keys = [
      key(),
      key({ tier: 'max' }),
      key({ content_format: 'text' }),
      key({ max_age_seconds: 60 }),
      key({ max_age_seconds: 0 }),
      key({ no_cache: true }),
      key({}, { projectId: 'other' }),
      key({}, { allowedDomains: ['example.com'] }),
      key({}, { allowedDomains: ['example.com', 'example.org'] }),
      key({}, {}, ['direct', 'jina']),
      key({}, {}, ['jina']),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('may differ in how much of it is shown', () => {
    expect(key({ inline_max_chars: 10 })).toBe(key());
    expect(key({ inline_content: false })).toBe(key());
    expect(key({ focus: { query: 'tides' } })).toBe(key());
  });
});

describe('the cost of a page', () => {
  const vendor = (failedPages: string) =>
    ({
      declaration: {
        failedPages,
        authentication: { in: 'header', name: 'x' },
        price: () => ({ usd: 0.003, kind: 'known' }),
      },
      rates: { fetch_page: 0.003 },
      target: { credentials: ['key'] },
    }) as unknown as ConfiguredVendor;
  const asked = { calls: 2, keyTail: 'tail' };
  const cost = (ending: object, failedPages = 'paid') =>
    costOf(vendor(failedPages), {} as never, ending as never, asked);
  const page = (costUsd?: number | null) => ({
    kind: 'page',
    page: { usage: { units: {}, costUsd } },
  });
  const verdict = (costUsd?: number) => ({ kind: 'verdict', verdict: { usage: { costUsd } } });

  it('is what the provider reports, else its list price', () => {
    expect(cost(page(0.01))).toEqual({ ...asked, costUsd: 0.01, source: 'reported' });
    expect(cost(page(0))).toEqual({ ...asked, costUsd: 0, source: 'reported' });
    expect(cost(page(null))).toEqual({ ...asked, costUsd: 0.003, source: 'price_list' });
    expect(cost({ kind: 'page', page: { usage: null } })).toMatchObject({ costUsd: 0.003 });
    const unpriced = { ...vendor('paid'), rates: {} };
    expect(costOf(unpriced, {} as never, page() as never, asked)).toEqual({
      ...asked,
      costUsd: null,
      source: null,
    });
  });

  it('of a page that could not be read is that of its vendor: paid, free or not known', () => {
    expect(cost(verdict(), 'paid')).toEqual({ ...asked, costUsd: 0.003, source: 'price_list' });
    expect(cost(verdict(), 'free')).toEqual({ ...asked, costUsd: 0, source: 'price_list' });
    expect(cost(verdict(), 'unknown')).toEqual({ ...asked, costUsd: null, source: null });
    expect(cost(verdict(0.02), 'free')).toEqual({ ...asked, costUsd: 0.02, source: 'reported' });
  });

  it('of a call that failed is not known, and nothing where none was sent', () => {
    expect(cost({ kind: 'failed' })).toEqual({ ...asked, costUsd: null, source: null });
    const unsent = { calls: 0, keyTail: null };
    expect(costOf(vendor('paid'), {} as never, { kind: 'failed' }, unsent)).toEqual({
      ...unsent,
      costUsd: 0,
      source: null,
    });
  });

  it('that is reported is believed between nothing and a thousand dollars', () => {
    expect([-0.1, 0, 1_000, 1_000.1, Number.NaN, null, undefined].map(reportedCost)).toEqual([
      null,
      0,
      1_000,
      null,
      null,
      null,
      null,
    ]);
    const spent = { ...asked, costUsd: 0.5, source: 'reported' } as const;
    expect(usageOf({ units: { credits: 3 }, costUsd: 0.5 }, spent)).toEqual({
      requests: 2,
      units: { credits: 3 },
      cost_usd: 0.5,
      cost_source: 'reported',
    });
    expect(usageOf(null, spent)).toBeNull();
  });
});

describe('the planned calls of three pages', () => {
  const priced = (slug: string, usd: number, more: object = {}) =>
    provider(slug, {
      declaration: {
        slug,
        dataUse: { training: 'no', retention: 'none', region: 'EU' },
        authentication: { in: 'header', name: 'x' },
        price: () => ({ usd, kind: 'known' }),
        capabilities: {},
        accepts: (url: URL) => url.pathname !== '/c' || slug === 'last',
      },
      isConfigured: true,
      rates: { fetch_page: usd },
      target: { credentials: ['key'], timeoutMs: 1_000 },
      ...more,
    }) as ConfiguredFetchProvider;
  const plan = async (chain: readonly ConfiguredFetchProvider[], kept: string | null = null) => {
    const calls = await plannedCalls(
      {
        targets: URLS.map(target),
        chain,
        notes: [],
        options: fetchCommand({ urls: URLS }).options,
      },
      { projectId: 'p', allowedProviders: ALL_PROVIDERS, allowedDomains: null },
      {
        clock: { now: () => 5, newId: () => '' },
        isForbidden: (url) => url.pathname === '/b',
        cache: {
          get: async (key) =>
            key.includes('/a') && kept !== null
              ? ({ provider: kept, storedAt: 1 } as never)
              : undefined,
          set: async () => {},
        },
      },
    );
    return calls.map(({ url, provider: slug, cost_usd, cost_kind }) => [
      url?.at(-1),
      slug,
      cost_usd,
      cost_kind,
    ]);
  };

  it('name the first provider that is set up and accepts each, and what it may cost', async () => {
    const chain = [
      priced('unset', 1, { isConfigured: false }),
      priced('first', 0.001),
      priced('last', 0.002),
    ];
    expect(await plan(chain)).toEqual([
      ['a', 'first', 0.001, 'estimated'],
      ['b', 'web_fetch', 0, 'known'],
      ['c', 'last', 0.002, 'known'],
    ]);
    expect(await plan([priced('first', 0.001)])).toEqual([
      ['a', 'first', 0.001, 'known'],
      ['b', 'web_fetch', 0, 'known'],
      ['c', 'web_fetch', 0, 'known'],
    ]);
    const unset = priced('unset', 1, { isConfigured: false });
    expect((await plan([unset]))[0]).toEqual(['a', 'unset', 0, 'known']);
  });

  it('of a page in the cache are none', async () => {
    expect((await plan([priced('first', 0.001)], 'jina'))[0]).toEqual(['a', 'jina', 0, 'known']);
  });
});

describe('the run of a fetch', () => {
  const row = (status: string, error: object | null = null) =>
    ({ url: 'u', status, error }) as unknown as FetchRow;
  const failed = (message: string, retryable = false) => row('failed', { message, retryable });
  const CAUSES = [{ provider: 'exa', code: 'timeout' }] as const;
  const run = (rows: FetchRow[], causes: typeof CAUSES | null) =>
    fetchRun(fetchCommand({ urls: URLS }), [provider('exa'), provider('jina')], rows, {
      ...{ id: 'run', latencyMs: 12, causes },
    });

  it('counts its pages', () => {
    const rows = [row('succeeded'), failed('x'), row('succeeded'), failed('y'), row('succeeded')];
    expect(run(rows, null)).toMatchObject({
      ...{ id: 'run', status: 'succeeded', latency_ms: 12, error: null },
      output_payload: { succeeded_count: 3, failed_count: 2, fetched_results: rows },
    });
  });

  it('of which no page was reached says why, each reason once and three at most', () => {
    const rows = ['a', 'b', 'a', 'c', 'd'].map((message) => failed(message, message === 'd'));
    expect(run(rows, CAUSES)).toMatchObject({
      status: 'failed',
      output_payload: null,
      error: {
        code: 'provider_unavailable',
        provider: 'exa, jina',
        causes: CAUSES,
        message: expect.stringMatching(/^no page was reached through exa, jina: a; b; c\. /),
        retryable: true,
      },
    });
    expect(unavailableError(['exa'], [failed('a'), failed('b')], CAUSES)).toMatchObject({
      retryable: false,
      rows: [
        { url: 'u', error: { message: 'a' } },
        { url: 'u', error: { message: 'b' } },
      ],
    });
  });

  it('is one of its providers only where they are named, and each page that was asked failed', () => {
    const isLost = (pinned: readonly string[] | null, ...results: object[]) =>
      isUnavailable({ pinned } as PageOptions, results.map((result) => ({ result })) as never);
    const lost = cancelledFetch();
    const reached = { ...lost, isReached: true };
    const page = { kind: 'page' };
    const named = ['exa'];
    expect(isLost(named, lost, forbidden(), lost)).toBe(true);
    expect(isLost(null, lost, lost)).toBe(false);
    expect(isLost(named, lost, reached, lost)).toBe(false);
    expect(isLost(named, lost, lost, page)).toBe(false);
    expect(isLost(named, forbidden())).toBe(false);
  });
});
