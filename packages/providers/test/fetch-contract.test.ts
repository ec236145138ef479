import { PAGE_FIELDS, type PageField, TIERS } from '@trawl/contract';
import { byForm } from '@trawl/test-support/form';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FETCH_PROVIDERS, type FetchPlan, PRICES, pageGapsOf } from '../src/index.ts';
import { expectCleanReading } from './support/clean-page.ts';
import { damaged } from './support/damage.ts';
import { fetchPlan, readPage } from './support/fetch-plan.ts';
import { FETCH_FIXTURE, type FetchFixture, fetchFixture, withPart } from './support/fixtures.ts';
import { frozen, isFilled, swapped } from './support/values.ts';

type RequestCase = FetchFixture['requests'][number];

function planFor(fixture: FetchFixture, shape: Partial<RequestCase> = {}): FetchPlan {
  return fetchPlan(shape.url ?? fixture.url, shape.tier ?? 'max', {
    contentFormat: shape.contentFormat ?? 'markdown',
    maxAgeSeconds: shape.maxAgeSeconds ?? null,
    noCache: shape.noCache ?? false,
    timeLimitMs: fixture.timeLimitMs,
  });
}

test('no two fetch providers share a name', () => {
  const slugs = FETCH_PROVIDERS.map(({ slug }) => slug);
  expect(new Set(slugs).size).toBe(slugs.length);
});

describe.each(FETCH_PROVIDERS.map((provider) => [provider.slug, provider] as const))(
  'facts of %s',
  (_slug, provider) => {
    test('every page field is in its capability table once, with a reason for a condition', () => {
      expect(Object.keys(provider.capabilities).toSorted()).toEqual([...PAGE_FIELDS].toSorted());
      for (const supply of Object.values(provider.capabilities)) {
        if (supply.kind === 'on_condition') expect(supply.reason).toMatch(/^[a-z].*[^.]$/);
      }
    });

    test('names its documentation, its formats and its limits', () => {
      // our own reader is documented by the service itself
      expect(provider.docsUrl).toMatch(provider.kind === 'own' ? /^\/docs/ : /^https:\/\//);
      expect(provider.contentFormats.length).toBeGreaterThan(0);
      expect(provider.timeoutMs).toBeGreaterThan(0);
      expect(provider.concurrency).toBeGreaterThan(0);
    });
  },
);

const HOSTILE_TAILS = [
  ['quotes and spaces', '?q="it\'s" <b>\\ {x}|%20+&a=[1]'],
  ['letters beyond ASCII', '?q=Größe-東京-🌊'],
  ['a fragment', '#part/two?x=1'],
  ['1,900 characters', `?q=${'abcdefgh%2F'.repeat(170)}`],
] as const;

const VENDORS = withPart(
  FETCH_PROVIDERS.filter((provider) => provider.kind === 'vendor'),
  FETCH_FIXTURE,
);

describe.each(VENDORS.map((provider) => [provider.slug, provider] as const))(
  'fetch contract of %s',
  (slug, provider) => {
    const fixture = fetchFixture(slug);
    const plan = planFor(fixture);

    test('names a public https address and its key', () => {
      expect(provider.baseUrl).toMatch(/^https:\/\/[^/]+\.[a-z]+(\/.*[^/])?$/);
      const needsKey = provider.authentication.in !== 'none';
      expect(provider.credentialVariables.length > 0).toBe(needsKey);
    });

    test.each(fixture.requests.map((shape) => [shape.title, shape] as const))(
      'sends what the vendor documents: %s',
      (_title, shape) => {
        expect(provider.request(planFor(fixture, shape))).toEqual(shape.call ?? fixture.call);
      },
    );

    test('has a case for its form without a key, if it has one', () => {
      expect(fixture.keyless !== undefined).toBe(provider.keyless !== undefined);
      expect(provider.keyless?.request?.(plan)).toEqual(fixture.keyless?.call);
      for (const { title, reading, ...answer } of fixture.keyless?.failures ?? []) {
        expect(provider.keyless?.readFailure?.(answer), title).toEqual(reading);
      }
    });

    test('has a request case for every tier and every option that changes the call', () => {
      const { requests } = fixture;
      expect(new Set(requests.map(({ tier }) => tier))).toEqual(new Set(TIERS));
      const plain = JSON.stringify(provider.request(plan));
      const changes = (shape: Partial<RequestCase>) =>
        JSON.stringify(provider.request(planFor(fixture, shape))) !== plain;
      const has = (is: (shape: RequestCase) => boolean) => requests.some(is);
      if (changes({ contentFormat: 'text' }))
        expect(has(({ contentFormat }) => contentFormat === 'text')).toBe(true);
      if (changes({ noCache: true })) expect(has(({ noCache }) => noCache === true)).toBe(true);
      if (changes({ maxAgeSeconds: 3600 }))
        expect(has(({ maxAgeSeconds }) => maxAgeSeconds !== undefined)).toBe(true);
    });

    // a provider that maps addresses to records sends the record's address, as its request cases
    // show
    test.each(provider.accepts ? [] : HOSTILE_TAILS)(
      'sends a URL with %s as it is',
      (_title, tail) => {
        const url = `${fixture.url}${tail}`;
        const call = provider.request(planFor(fixture, { url }));
        expect(call).toEqual(swapped(provider.request(plan), fixture.url, url));
        expect(JSON.stringify(call)).toContain(JSON.stringify(url));
      },
    );

    test('accepts the pages it is made for, and no others', () => {
      const accepts = (url: string) => provider.accepts?.(new URL(url)) ?? true;
      expect(fixture.accepted.length).toBeGreaterThan(0);
      expect(fixture.accepted.filter((url) => !accepts(url))).toEqual([]);
      expect(fixture.declined.filter(accepts)).toEqual([]);
      expect(fixture.declined.length > 0).toBe(provider.accepts !== undefined);
    });

    test('reads a full answer', () => {
      expect(readPage(provider, fixture.full, plan)).toEqual(fixture.parsed);
    });

    test('fills every field that is not a gap at max, and no field that it lacks', () => {
      const reading = readPage(provider, fixture.full, plan);
      if (reading?.kind !== 'page') throw new Error('the full answer is not a page');
      const gaps = new Set<PageField>(
        pageGapsOf(provider.capabilities, plan).map(({ field }) => field),
      );
      const filled = PAGE_FIELDS.filter((field) => isFilled(reading.page[field]));
      const lacking = (field: PageField) =>
        provider.capabilities[field].kind === 'never' ||
        provider.capabilities[field].kind === 'on_failure';
      expect(filled.filter(lacking)).toEqual([]);
      expect(filled).toEqual(expect.arrayContaining(PAGE_FIELDS.filter((f) => !gaps.has(f))));
      expect(provider.contentFormats).toContain(reading.page.content_format);
    });

    test('a status that is declared for failures comes with a failure', () => {
      const readings = [
        ...fixture.answers.map(({ reading }) => reading),
        ...fixture.failures.map(({ page }) => page),
      ];
      const statuses = readings.flatMap((reading) => {
        if (reading?.kind === 'verdict') return reading.verdict.httpStatus ?? [];
        return reading?.kind === 'page' ? (reading.page.http_status ?? []) : [];
      });
      if (provider.capabilities.http_status.kind === 'on_failure') {
        expect(statuses).not.toEqual([]);
      } else if (provider.capabilities.http_status.kind === 'never') {
        expect(statuses).toEqual([]);
      }
    });

    test.each(fixture.answers.map((answer) => [answer.title, answer] as const))(
      'reads %s',
      (_title, { body, reading }) => {
        expect(readPage(provider, body, plan)).toEqual(reading);
        expectCleanReading(reading);
      },
    );

    test.each(fixture.unfit.map((body) => [JSON.stringify(body), body] as const))(
      'refuses %s as not its answer',
      (_text, body) => {
        expect(readPage(provider, body, plan)).toBeNull();
      },
    );

    test.each(fixture.failures.map((failure) => [failure.title, failure] as const))(
      'understands %s',
      (_title, { title: _, page, reading, ...answer }) => {
        const said = provider.readFailedAnswer?.(answer, plan);
        expect(said).toEqual(page);
        // a verdict on the page is not a failure of the call as well
        if (said) expectCleanReading(said);
        else expect(provider.readFailure?.(answer)).toEqual(reading);
      },
    );

    test('has a list price before and after a page of every shape', () => {
      const rates = PRICES.providers[slug] ?? {};
      const listed = Object.entries(rates).filter(([item]) => item.startsWith('fetch'));
      expect(listed.length).toBeGreaterThan(0);
      const reading = readPage(provider, fixture.full, plan);
      const page = reading?.kind === 'page' ? reading.page : null;
      const prices = fixture.requests.flatMap((shape) =>
        [null, page].map((came) => provider.price(planFor(fixture, shape), came, rates)),
      );
      for (const { usd } of prices) expect(usd).toSatisfy((value) => value >= 0 && value < 10);
      // the list of a free provider has only zeros
      const isFree = listed.every(([, rate]) => rate === 0);
      expect(prices.some(({ usd }) => usd > 0)).toBe(!isFree);
    });

    test('request, parse and price change nothing and return the same each time', () => {
      const still = frozen(planFor(fixture));
      expect(provider.request(still)).toEqual(provider.request(still));
      const body = frozen(structuredClone(fixture.full));
      expect(readPage(provider, body, still)).toEqual(fixture.parsed);
      expect(readPage(provider, body, still)).toEqual(fixture.parsed);
    });

    test('survives an answer with members dropped, set to null, retyped or added', () => {
      fc.assert(
        fc.property(damaged(fixture.full), (body) => {
          const reading = readPage(provider, body, plan);
          if (!reading) return;
          expectCleanReading(reading);
          if (reading.kind === 'page')
            expect(provider.contentFormats).toContain(reading.page.content_format);
        }),
        { numRuns: byForm({ small: 60, full: 200 }) },
      );
    });

    test('survives any JSON or text as answer and as failure', () => {
      fc.assert(
        fc.property(fc.jsonValue(), fc.integer({ min: 300, max: 599 }), (body, status) => {
          const answer = { status, body, headers: {} };
          provider.readFailure?.(answer);
          const readings = [
            readPage(provider, body, plan),
            provider.readFailedAnswer?.(answer, plan),
            provider.readText && readPage(provider, provider.readText(JSON.stringify(body)), plan),
          ];
          for (const reading of readings) if (reading) expectCleanReading(reading);
        }),
      );
    });

    test('asks again for a page that is being collected', () => {
      const jobs = fixture.answers.flatMap(({ reading }) =>
        reading.kind === 'pending' ? reading.job : [],
      );
      expect(jobs.length > 0).toBe(provider.collect !== undefined);
      for (const job of jobs) {
        const call = provider.collect?.follow(job, plan);
        expect(JSON.stringify(call)).toContain(job);
      }
      if (!provider.collect) return;
      expect(provider.collect.everyMs).toBeGreaterThan(0);
      expect(provider.collect.withinMs).toBeLessThanOrEqual(provider.timeoutMs);
    });
  },
);
