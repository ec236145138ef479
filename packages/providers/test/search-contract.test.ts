import { fieldsOfTier, RESULT_FIELDS, type ResultField, type Tier } from '@trawl/contract';
import { byForm } from '@trawl/test-support/form';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  gapsOf,
  type ParsedSearch,
  PRICES,
  type Rates,
  type SearchPlan,
  type SearchProvider,
  type Wanted,
} from '../src/index.ts';
import { damaged } from './support/damage.ts';
import { SEARCHES, type SearchFixture, searchFixture } from './support/fixtures.ts';
import { answered } from './support/providers.ts';

const wantedOf = (shape: {
  tier?: Tier | undefined;
  fields?: readonly ResultField[] | undefined;
  fullContent?: boolean | undefined;
}): Wanted => ({
  tier: shape.fields ? null : (shape.tier ?? 'default'),
  fields: new Set(shape.fields ?? fieldsOfTier(shape.tier ?? 'default')),
  fullContent: shape.fullContent ?? false,
  overrides: {},
});

const EVERYTHING = wantedOf({ fields: RESULT_FIELDS, fullContent: true });

function read(
  provider: SearchProvider,
  body: unknown,
  wanted = EVERYTHING,
  query?: string,
): ParsedSearch | null {
  const answer = provider.response.safeParse(body);
  return answer.success ? provider.parse(answer.data, answered(wanted, query)) : null;
}

function planOf(fixture: SearchFixture, shape: Parameters<typeof wantedOf>[0]): SearchPlan {
  return { query: fixture.query, count: fixture.count, wanted: wantedOf(shape) };
}

const ratesOf = ({ slug, prices }: SearchProvider): Rates => PRICES.providers[slug] ?? prices.usd;

/** The value of a field somewhere in an answer. */
function valuesOf(parsed: ParsedSearch, field: ResultField): readonly unknown[] {
  if (field === 'usage') return [parsed.usage];
  if (field === 'answer') return [parsed.answer];
  if (field === 'verticals') return [parsed.verticals];
  if (field === 'entities') return parsed.entities;
  if (field === 'related') return parsed.related;
  if (field === 'rank') return parsed.rows.map((_, index) => index + 1);
  // made from the URL, with the author where there is one
  if (field === 'source') return parsed.rows.map((row) => row.url);
  return parsed.rows.map((row) => row[field]);
}

describe.each(SEARCHES.map((provider) => [provider.slug, provider] as const))(
  'search contract of %s',
  (slug, provider) => {
    const fixture = searchFixture(slug);

    test('declares every field, with a reason for what it lacks', () => {
      expect(Object.keys(provider.capabilities)).toEqual([...RESULT_FIELDS]);
      for (const supply of Object.values(provider.capabilities)) {
        if (supply.kind === 'supplied') continue;
        expect(supply.reason).toMatch(/^[a-z].*[^.]$/);
      }
    });

    test('names its documentation, a public https base and its key', () => {
      if (!provider.isDeclared) expect(new URL(provider.docsUrl ?? '').protocol).toBe('https:');
      if (provider.baseUrl !== null) {
        expect(provider.baseUrl).toMatch(/^https:\/\/[^/]+(\/.*[^/])?$/);
      }
      const needsKey = provider.authentication.in !== 'none';
      expect(provider.credentialVariables.length > 0).toBe(needsKey);
    });

    test.each(fixture.requests.map((shape) => [shape.title, shape] as const))(
      'sends what the vendor documents: %s',
      (_title, shape) => {
        const call = provider.request(planOf(fixture, shape));
        expect(provider.place?.(call) ?? call).toEqual(shape.call ?? fixture.call);
      },
    );

    test('has a request case for every tier', () => {
      const tiers = fixture.requests.flatMap(({ tier }) => tier ?? []);
      expect(new Set(tiers)).toEqual(new Set(['minimalist', 'default', 'extended', 'max']));
    });

    test('reads a full answer', () => {
      const parsed = read(provider, fixture.full, EVERYTHING, fixture.query);
      // dates in the vendor's words are for checks, see filters.test.ts
      const rows = parsed?.rows.map(({ sent_date: _, ...row }) => row);
      expect({ ...parsed, rows }).toEqual(fixture.parsed);
    });

    test('fills every field that is not a gap, and none that it never supplies', () => {
      const parsed = read(provider, fixture.full);
      if (!parsed) throw new Error('the full answer was not accepted');
      const gaps = gapsOf(provider, EVERYTHING).map(({ field }) => field);
      for (const field of RESULT_FIELDS) {
        const isFilled = valuesOf(parsed, field).some((value) => value !== null);
        if (provider.capabilities[field].kind === 'never')
          expect([field, isFilled]).toEqual([field, false]);
        else if (!gaps.includes(field)) expect([field, isFilled]).toEqual([field, true]);
      }
    });

    test.each(fixture.empty.map((body) => [JSON.stringify(body), body] as const))(
      'takes %s as nothing found',
      (_text, body) => {
        expect(read(provider, body)?.rows).toEqual([]);
      },
    );

    test.each(fixture.unfit.map((body) => [JSON.stringify(body), body] as const))(
      'refuses %s as not its answer',
      (_text, body) => {
        expect(read(provider, body)).toBeNull();
      },
    );

    test.each(fixture.failures.map((failure) => [failure.title, failure] as const))(
      'understands %s',
      (_title, { title: _, reading, ...answer }) => {
        expect(provider.readFailure?.(answer)).toEqual(reading);
      },
    );

    test.each(['keyless', 'keyed'] as const)(
      'has a case for its form %s, if it has one',
      (form) => {
        expect(fixture[form] !== undefined).toBe(provider[form] !== undefined);
        const plan = planOf(fixture, { tier: 'max' });
        expect(provider[form]?.request?.(plan)).toEqual(fixture[form]?.call);
        expect(Object.keys(provider.keyless?.capabilities ?? {})).toEqual(
          provider.keyless?.capabilities ? [...RESULT_FIELDS] : [],
        );
      },
    );

    const OTHERS = (['keyless', 'keyed'] as const).flatMap((form) =>
      (fixture[form]?.failures ?? []).map((failure) => [form, failure.title, failure] as const),
    );
    test.each(OTHERS)('understands %s %s', (form, _title, { title: _, reading, ...answer }) => {
      expect(provider[form]?.readFailure?.(answer)).toEqual(reading);
    });

    test('has a list price for a call of every shape', () => {
      const rates = ratesOf(provider);
      const listed = Object.values(rates);
      expect(listed.length).toBeGreaterThan(0);
      // the list of a free provider has only zeros
      const isFree = listed.every((rate) => rate === 0);
      for (const shape of fixture.requests) {
        const { usd } = provider.price(planOf(fixture, shape), rates, null);
        expect(usd > 0).toBe(!isFree);
      }
    });

    test('survives an answer with members dropped, set to null, retyped or added', () => {
      fc.assert(
        fc.property(damaged(fixture.full), (body) => {
          const parsed = read(provider, body);
          for (const row of parsed?.rows ?? []) expectCleanRow(row);
        }),
        { numRuns: byForm({ small: 100, full: 500 }) },
      );
    });

    test('survives any JSON as answer and as failure', () => {
      fc.assert(
        fc.property(fc.jsonValue(), fc.integer({ min: 300, max: 599 }), (body, status) => {
          read(provider, body);
          provider.readFailure?.({ status, body, headers: {} });
        }),
      );
    });

    test.each(fixture.prices.map(({ overrides, usd }) => [overrides, usd] as const))(
      '2.11 paid features bill accordingly: %j costs %d',
      (overrides, usd) => {
        const plan = { query: 'tides', count: 5, wanted: { ...wantedOf({}), overrides } };
        const rates = ratesOf(provider);
        expect(provider.price(plan, rates, null).usd).toBeCloseTo(usd, 9);
      },
    );
  },
);

const TEXT_FIELDS = [
  'url',
  'title',
  'summary',
  'excerpt',
  'full_content',
  'publish_date',
  'thumbnail',
  'favicon',
  'author',
] as const;

/** Each text is a non-empty string or null, never another type. */
function expectCleanRow(row: ParsedSearch['rows'][number]): void {
  for (const field of TEXT_FIELDS) {
    const value = row[field];
    if (value === null) continue;
    expect(typeof value).toBe('string');
    expect(value.trim()).not.toBe('');
  }
  expect(row.enrichments).toBeTypeOf('object');
}
