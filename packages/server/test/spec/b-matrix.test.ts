import { RESULT_FIELDS, type ResultField } from '@trawl/contract';
import { gapsOf, SEARCH_PROVIDERS, unsupportedFields, type Wanted } from '@trawl/providers';
import { describe, expect, test } from 'vitest';
import {
  asLine,
  fieldsOf,
  LIST_FIELDS,
  ROW_FIELDS,
  search,
  TIERS,
  useServer,
} from './b-support.ts';

const server = useServer();
/** With a place in it, so that every kind of block comes. */
const QUERY = 'harbours near Northmere';

interface Shape {
  readonly title: string;
  readonly wanted: Wanted;
}

/** Every request that a declaration may tell apart. */
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

const ask = ({ tier, fields, fullContent }: Wanted) =>
  search(server(), QUERY, {
    ...(tier === null ? { fields: [...fields] } : { tier }),
    include_full_content: fullContent,
    num_results: 10,
    providers: { include: SEARCH_PROVIDERS.map(({ slug }) => slug) },
  });

test('2.5 every provider takes part in these tests: the sandbox speaks its API', () => {
  expect(server().sandbox.vendors).toEqual(
    expect.arrayContaining(SEARCH_PROVIDERS.map(({ slug }) => slug)),
  );
});

const isEmpty = (value: unknown): boolean =>
  value === null || (Array.isArray(value) && value.length === 0);

describe.each(SHAPES)('2.5 $title', ({ wanted }) => {
  test('2.5 a gap is declared where there is one: null or [], a warning; a value somewhere otherwise', async () => {
    const { output } = await ask(wanted);
    for (const provider of SEARCH_PROVIDERS) {
      const envelope: Record<string, unknown> = output(provider.slug);
      const declared = new Set(gapsOf(provider, wanted).map(({ field }) => field));
      for (const field of wanted.fields) {
        const values = ROW_FIELDS.includes(field)
          ? output(provider.slug).results.map((row) => row[field as keyof typeof row])
          : [envelope[field]];
        const at = `${provider.slug}, ${field}`;
        expect(values.length, at).toBeGreaterThan(0);
        if (!declared.has(field))
          expect(
            values.some((value) => !isEmpty(value)),
            at,
          ).toBe(true);
        else
          expect(values, at).toEqual(values.map(() => (LIST_FIELDS.includes(field) ? [] : null)));
      }
      const reported = output(provider.slug)
        .warnings.filter(({ code }) => code === 'capability_gap')
        .map(asLine)
        .filter((line) => !/ (num_results|query): /.test(line));
      expect(reported).toEqual(
        gapsOf(provider, wanted).map(
          ({ field, reason }) => `capability_gap ${field}: ${provider.slug} ${reason}`,
        ),
      );
    }
  });
});

test('4.8 unsupported_fields of the roster are the fields that no tier and no option brought', async () => {
  const brought = new Map<string, Set<ResultField>>();
  for (const { wanted } of SHAPES) {
    const { output } = await ask(wanted);
    for (const { slug } of SEARCH_PROVIDERS) {
      const missing = output(slug).warnings.map(({ message }) => message.split(':')[0]);
      const seen = brought.get(slug) ?? new Set();
      for (const field of wanted.fields) if (!missing.includes(field)) seen.add(field);
      brought.set(slug, seen);
    }
  }
  const { json } = await server().call('GET', '/v1/preprocessors', { key: null });
  for (const provider of SEARCH_PROVIDERS) {
    const entry = json.preprocessors.find((one: { slug: string }) => one.slug === provider.slug);
    const never = RESULT_FIELDS.filter((field) => !brought.get(provider.slug)?.has(field));
    expect(entry.unsupported_fields).toEqual(never);
    expect(unsupportedFields(provider.capabilities)).toEqual(never);
  }
});
