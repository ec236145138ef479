import { RESULT_FIELDS, type ResultField } from '@trawl/contract';
import { gapsOf, SEARCH_PROVIDERS, type SearchProvider, type Wanted } from '@trawl/providers';
import { byForm } from '@trawl/test-support/form';
import { describe, expect, test } from 'vitest';
import {
  fieldsOf,
  LIST_FIELDS,
  ROW_FIELDS,
  type Search,
  search,
  TIERS,
  useServer,
} from './support/search-runs.ts';

const server = useServer();
/** Two queries, one with a place: the blocks next to the rows depend on the query. */
const QUERIES = ['harbours near Northmere', 'tidal energy'];

/**
 * Providers whose API the sandbox has; test/provider-folders.test.ts reports any other. In the
 * small form a field by name is asked of a third of them.
 */
const providers = ({ wanted }: Shape): readonly SearchProvider[] => {
  const share = wanted.fields.size > 1 ? 1 : byForm({ small: 3, full: 1 });
  const nth = RESULT_FIELDS.findIndex((field) => wanted.fields.has(field));
  return SEARCH_PROVIDERS.filter(({ slug }) => server().sandbox.vendors.includes(slug)).filter(
    (_provider, at) => (at + nth) % share === 0,
  );
};

interface Shape {
  readonly title: string;
  readonly wanted: Wanted;
}

/** Every request shape that a declaration may distinguish. */
const SHAPES: readonly Shape[] = [
  ...TIERS.flatMap((tier) =>
    [false, true].map((fullContent) => ({
      title: `tier ${tier}${fullContent ? ' with full content' : ''}`,
      wanted: named(tier, fieldsOf(tier), fullContent),
    })),
  ),
  { title: 'all fields by name', wanted: named(null, RESULT_FIELDS, false) },
  ...RESULT_FIELDS.map((field) => ({
    title: `${field} by name`,
    wanted: named(null, [field], false),
  })),
];

function named(tier: Wanted['tier'], fields: readonly string[], fullContent: boolean): Wanted {
  const active = RESULT_FIELDS.filter((field) => fields.includes(field));
  return { tier, fields: new Set(active), fullContent, overrides: {} };
}

/** Each shape is asked once, of all providers. */
const answers = new Map<Shape, Promise<Search>>();
function ask(shape: Shape): Promise<Search> {
  const { tier, fields, fullContent } = shape.wanted;
  const answer =
    answers.get(shape) ??
    search(server(), QUERIES, {
      ...(tier === null ? { fields: [...fields] } : { tier }),
      include_full_content: fullContent,
      num_results: 10,
      providers: { include: providers(shape).map(({ slug }) => slug) },
    });
  answers.set(shape, answer);
  return answer;
}

/** The values of a provider in one field, over all queries and rows. */
function valuesOf({ output }: Search, slug: string, field: ResultField): unknown[] {
  return QUERIES.flatMap((_query, index) => {
    const envelope: Record<string, unknown> = output(slug, index);
    const rows: readonly Record<string, unknown>[] = output(slug, index).results;
    return ROW_FIELDS.includes(field) ? rows.map((row) => row[field]) : [envelope[field]];
  });
}

const isEmpty = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.length === 0);

describe.each(SHAPES)('2.5 $title', (shape) => {
  test('2.5 every gap is declared: null or [] with a warning; any other field has a value somewhere', async () => {
    const found = await ask(shape);
    for (const provider of providers(shape)) {
      const { slug } = provider;
      const gaps = gapsOf(provider, shape.wanted);
      for (const field of shape.wanted.fields) {
        const at = `${slug}, ${field}`;
        const values = valuesOf(found, slug, field);
        expect(values.length, at).toBeGreaterThan(0);
        const empty = LIST_FIELDS.includes(field) ? [] : null;
        if (gaps.some((gap) => gap.field === field))
          expect(values, at).toEqual(values.map(() => empty));
        else
          expect(
            values.some((value) => !isEmpty(value)),
            at,
          ).toBe(true);
      }
      for (const index of QUERIES.keys()) {
        const reported = found
          .warnings(slug, index)
          .filter((line) => /^capability_gap (?!num_results:|query:)/.test(line));
        expect(reported).toEqual(
          gaps.map(({ field, reason }) => `capability_gap ${field}: ${slug} ${reason}`),
        );
      }
    }
  });
});

test('4.8 unsupported_fields of the roster are the fields that no tier or option supplied', async () => {
  const { json } = await server().call('GET', '/v1/preprocessors', { key: null });
  const found = await Promise.all(SHAPES.map(async (shape) => [shape, await ask(shape)] as const));
  for (const { slug } of SEARCH_PROVIDERS) {
    const asked = found.filter(([shape]) => providers(shape).some((one) => one.slug === slug));
    if (asked.length === 0) continue;
    const brought = asked.flatMap(([{ wanted }, { warnings }]) => {
      const missing = warnings(slug).map((line) => line.split(/[ :]/)[1]);
      return [...wanted.fields].filter((field) => !missing.includes(field));
    });
    const entry = json.preprocessors.find((one: { slug: string }) => one.slug === slug);
    const never = RESULT_FIELDS.filter((field) => !brought.includes(field));
    expect(entry.unsupported_fields, slug).toEqual(never);
  }
});
