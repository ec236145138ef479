import { describe, expect, it } from 'vitest';
import type { ConfiguredFetchProvider } from '../../src/deployment/deployment.ts';
import { type ChainDependencies, planFor, walkChain } from '../../src/fetch/chain.ts';
import { fetchCommand } from '../../src/fetch/command.ts';
import { webRules } from '../../src/web-rules/web-rules.ts';

const URL_OF_PAGE = 'https://example.com/a';
const target = { url: URL_OF_PAGE, parsed: new URL(URL_OF_PAGE), comparable: URL_OF_PAGE };

const page = (content: string, quality: number | null = 0.9, more: object = {}) => ({
  ...{ kind: 'page', measure: null, quality, findings: [], verdict: null },
  page: { content, isPartial: false, remarks: [], ...more },
});
const verdict = (code: string, httpStatus: number | null, more: object = {}) => ({
  ...{ kind: 'verdict', verdict: { code, reason: code, httpStatus, ...more } },
});
const fault = (code: string) => ({ kind: 'fault', code, happened: 'broke', remedy: 'r' });

interface Link {
  readonly slug: string;
  readonly answer: object;
  readonly takesMs?: number;
  readonly accepts?: (url: URL) => boolean;
  readonly isConfigured?: boolean;
  readonly timeoutMs?: number;
  /** A vendor that is not asked, since its circuit is open. */
  readonly isUnsent?: boolean;
}

const UNSENT = {
  ...{ status: 'failed', latencyMs: null, calls: 0, waitedMs: 0, leftOut: [], keyTail: null },
  failure: { code: 'circuit_open', message: 'cools down', retryable: true, httpStatus: null },
};

/** The end of a chain of readers, each of which takes 40 ms unless it says otherwise. */
async function walk(
  links: readonly Link[],
  { pinned = null as string[] | null, deadlineAt = 60_000 } = {},
) {
  const time = { now: 1_000 };
  const asked: (readonly [string, number])[] = [];
  const observed: string[] = [];
  const command = fetchCommand({
    urls: [URL_OF_PAGE],
    options: pinned ? { providers: pinned } : {},
  });
  const chain = links.map(
    ({ slug, accepts, isConfigured = true, timeoutMs = 20_000, isUnsent }) =>
      ({
        declaration: { slug, accepts, lowestMaxAgeSeconds: null, request: () => ({}) },
        ...(isUnsent ? { target: { timeoutMs } } : {}),
        isConfigured,
        timeoutMs,
      }) as unknown as ConfiguredFetchProvider,
  );
  const readers = new Map(
    links.map(({ slug, answer, takesMs = 40 }) => [
      slug,
      {
        read: async (_plan: unknown, { timeoutMs }: { timeoutMs: number }) => {
          asked.push([slug, timeoutMs]);
          time.now += takesMs;
          return answer;
        },
      },
    ]),
  );
  const result = await walkChain(
    { target, chain, options: command.options },
    {
      keyId: 'key',
      projectId: 'project',
      signal: new AbortController().signal,
      deadlineAt,
      allowedDomains: null,
      rules: webRules([], []),
      observer: {
        judged: (slug: string, what: string) => void observed.push(`${slug} ${what}`),
        called: () => () => {},
      } as never,
    },
    {
      clock: { now: () => time.now, newId: () => '' },
      readers,
      runner: { run: async () => UNSENT },
      pageCheck: { prepare: () => {} },
      chainAttemptTimeoutMs: 5_000,
      pageReadTimeoutMs: 1_000,
    } as unknown as ChainDependencies,
  );
  const { steps, warnings, costs } = result;
  return {
    asked: asked.map(([slug]) => slug),
    limits: asked.map(([, limit]) => limit),
    observed,
    steps: steps.map(
      ({ provider, outcome, code, latency_ms }) => `${provider} ${outcome} ${code} ${latency_ms}`,
    ),
    warnings: warnings.map(({ message }) => message),
    costs: costs.map(
      ({ provider, outcome, errorCode, latencyMs }) =>
        `${provider} ${outcome} ${errorCode} ${latencyMs}`,
    ),
    end:
      result.kind === 'page'
        ? `page of ${result.provider}: ${result.page.content}`
        : `${result.failure.provider} ${result.failure.code} ${result.failure.attempts} ${result.isReached}`,
  };
}

describe('a chain of three', () => {
  it('ends with the first page, and has a step, a warning and a cost for each that was asked', async () => {
    const ended = await walk([
      { slug: 'a', answer: verdict('blocked', 403) },
      { slug: 'b', answer: fault('timeout'), takesMs: 70 },
      { slug: 'c', answer: page('found') },
      { slug: 'd', answer: page('too late') },
    ]);
    expect(ended).toMatchObject({
      end: 'page of c: found',
      asked: ['a', 'b', 'c'],
      steps: ['a failed blocked 40', 'b failed timeout 70', 'c answered null 40'],
      warnings: ['a: blocked, HTTP 403', 'b: timeout'],
      costs: ['a failed blocked 40', 'b failed timeout 70', 'c succeeded null 40'],
      observed: ['a blocked', 'c page'],
    });
  });

  it('passes over those that do not take the page, or are not set up unless they are named', async () => {
    const links: Link[] = [
      { slug: 'a', answer: page('a'), accepts: () => false },
      { slug: 'b', answer: page('b'), isConfigured: false },
      { slug: 'c', answer: page('c') },
    ];
    expect(await walk(links)).toMatchObject({
      ...{ end: 'page of c: c', asked: ['c'] },
      steps: [
        'a declined declined null',
        'b skipped missing_credential null',
        'c answered null 40',
      ],
      costs: ['c succeeded null 40'],
    });
    expect((await walk(links, { pinned: ['b', 'c'] })).asked).toEqual(['b']);
    expect((await walk(links.slice(0, 2))).end).toBe('null missing_credential 0 false');
  });

  it('has one more look where the page is gone, and then ends', async () => {
    const gone = (slug: string, status = 404) => ({ slug, answer: verdict('not_found', status) });
    const last = { slug: 'd', answer: page('d') };
    expect(
      await walk([gone('a'), { slug: 'b', answer: verdict('blocked', 403) }, last]),
    ).toMatchObject({
      ...{ asked: ['a', 'b'], end: 'a not_found 2 true' },
    });
    expect((await walk([gone('a', 410), { slug: 'b', answer: page('b') }, last])).end).toBe(
      'page of b: b',
    );
    // one that was not asked is not that look
    const unsent: Link = { slug: 'u', answer: {}, isUnsent: true };
    const blocked = { slug: 'b', answer: verdict('blocked', 403) };
    expect(await walk([gone('a'), unsent, blocked, last])).toMatchObject({
      ...{ asked: ['a', 'b'], end: 'a not_found 2 true' },
      steps: ['a failed not_found 40', 'u skipped circuit_open null', 'b failed blocked 40'],
    });
    const own = { slug: 'a', answer: verdict('not_found', 404, { isOwnReason: true }) };
    expect((await walk([own, gone('b', 500), last])).asked).toEqual(['a', 'b', 'd']);
  });

  it('keeps a poor page while others are asked, and returns the better one', async () => {
    const poor = (slug: string, quality: number, more: object = {}) => ({
      slug,
      answer: page(`poor ${slug}`, quality, more),
    });
    expect(
      await walk([poor('a', 0.3), { slug: 'b', answer: verdict('blocked', 403) }, poor('c', 0.2)]),
    ).toMatchObject({
      ...{ end: 'page of a: poor a', asked: ['a', 'b', 'c'] },
      steps: ['a answered low_quality 40', 'b failed blocked 40', 'c failed low_quality 40'],
      observed: ['a low_quality', 'b blocked', 'c low_quality'],
    });
    const second = await walk([
      { slug: 'x', answer: fault('timeout') },
      poor('a', 0.3),
      { slug: 'b', answer: fault('timeout') },
    ]);
    expect(second.steps).toEqual([
      'x failed timeout 40',
      'a answered low_quality 40',
      'b failed timeout 40',
    ]);
    expect((await walk([poor('a', 0.3), { slug: 'b', answer: page('good') }])).steps).toEqual([
      'a failed low_quality 40',
      'b answered null 40',
    ]);
    expect((await walk([poor('a', 0.3), poor('b', 0.4), poor('c', 0.35)])).end).toBe(
      'page of b: poor b',
    );
    const after = async (first: Omit<Link, 'slug' | 'answer'>) => {
      const passedOver: Link = { slug: 'x', answer: page('x'), ...first };
      return walk([passedOver, poor('a', 0.3), { slug: 'b', answer: fault('timeout') }]);
    };
    const rest = ['a answered low_quality 40', 'b failed timeout 40'];
    expect(await after({ accepts: () => false })).toMatchObject({
      ...{ end: 'page of a: poor a', steps: ['x declined declined null', ...rest] },
    });
    expect(await after({ isConfigured: false })).toMatchObject({
      ...{ end: 'page of a: poor a', steps: ['x skipped missing_credential null', ...rest] },
    });
    const partial = poor('a', 0.9, { isPartial: true });
    expect((await walk([partial, { slug: 'b', answer: page('whole', 0.2) }])).end).toBe(
      'page of b: whole',
    );
    expect((await walk([poor('a', 0.1)])).end).toBe('page of a: poor a');
  });

  it('says what counts most when none has the page', async () => {
    const endOf = async (...links: Link[]) => (await walk(links)).end;
    const quiet: Link = { slug: 'q', answer: verdict('blocked', null) };
    const loud: Link = { slug: 'l', answer: verdict('target_error', 500) };
    const broken: Link = { slug: 'b', answer: fault('timeout') };
    const special: Link = { slug: 's', answer: fault('upstream_error'), accepts: () => true };
    expect(await endOf(broken, quiet, loud, broken)).toBe('l target_error 4 true');
    expect(await endOf(broken, quiet, broken)).toBe('q blocked 3 true');
    expect(await endOf(quiet, special, loud)).toBe('s upstream_error 3 true');
    expect(await endOf(broken, { ...broken, slug: 'z' })).toBe('z timeout 2 false');
  });

  it('says of several that count the same what the first said, and the last where none judged it', async () => {
    const endOf = async (...answers: [object, Partial<Link>?][]) => {
      const links = answers.map(([answer, more], at) => ({ slug: `p${at}`, answer, ...more }));
      return (await walk(links)).end;
    };
    const specialist = { accepts: () => true };
    const quiet = verdict('blocked', null);
    expect(
      await endOf([quiet], [verdict('blocked', 403)], [verdict('target_error', 500)], [quiet]),
    ).toBe('p1 blocked 4 true');
    expect(await endOf([quiet], [verdict('empty_page', null)], [fault('timeout')])).toBe(
      'p0 blocked 3 true',
    );
    expect(
      await endOf([quiet], [fault('timeout'), specialist], [verdict('blocked', 403), specialist]),
    ).toBe('p1 timeout 3 true');
    expect(await endOf([verdict('not_found', 410)], [verdict('not_found', 404)])).toBe(
      'p0 not_found 2 true',
    );
    expect(
      await endOf([fault('timeout')], [fault('upstream_error')], [fault('network_error')]),
    ).toBe('p2 network_error 3 false');
  });

  it('gives each the time of an attempt, and the last its own; a page at hand does not wait so long', async () => {
    const broken = (slug: string): Link => ({ slug, answer: fault('timeout') });
    expect((await walk([broken('a'), broken('b'), broken('c')])).limits).toEqual([
      5_000, 5_000, 20_000,
    ]);
    expect((await walk([{ ...broken('a'), timeoutMs: 900 }, broken('b')])).limits).toEqual([
      900, 20_000,
    ]);
    const poor: Link = { slug: 'a', answer: page('poor', 0.1) };
    expect((await walk([poor, broken('b')])).limits).toEqual([5_000, 5_000]);
    const unset: Link = { slug: 'u', answer: page('u'), isConfigured: false };
    expect((await walk([broken('a'), broken('b'), unset])).limits).toEqual([5_000, 20_000]);
  });

  it('asks no further provider in the last quarter of a second', async () => {
    const slow = (takesMs: number): Link => ({ slug: 'a', answer: fault('timeout'), takesMs });
    const next: Link = { slug: 'b', answer: page('b') };
    const deadlineAt = 11_000;
    expect((await walk([slow(9_750), next], { deadlineAt })).asked).toEqual(['a', 'b']);
    expect((await walk([slow(9_751), next], { deadlineAt })).asked).toEqual(['a']);
  });
});

it('a call has two seconds less than the attempt, and is fresh where its provider is named', () => {
  const plan = (options: object, timeoutMs: number, lowest: number | null = 0) => {
    const { timeLimitMs, noCache, maxAgeSeconds } = planFor(
      { declaration: { lowestMaxAgeSeconds: lowest } as never },
      target,
      fetchCommand({ urls: [URL_OF_PAGE], options }).options,
      timeoutMs,
    );
    return [timeLimitMs, noCache, maxAgeSeconds];
  };
  expect(plan({}, 30_000)).toEqual([28_000, false, null]);
  expect(plan({ max_age_seconds: 60 }, 2_500)).toEqual([1_000, false, 60]);
  expect(plan({ providers: ['a'] }, 30_000)).toEqual([28_000, true, null]);
  expect(plan({ providers: ['a'] }, 30_000, 60)[1]).toBe(false);
  expect(plan({ providers: ['a'], max_age_seconds: 60 }, 30_000)[1]).toBe(false);
  expect(plan({ no_cache: true }, 30_000, null)[1]).toBe(true);
});
