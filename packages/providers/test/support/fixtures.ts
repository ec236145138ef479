import { existsSync, readFileSync } from 'node:fs';
import { CONTENT_FORMATS, FILTERS, RESULT_FIELDS, TIERS } from '@trawl/contract';
import { z } from 'zod';
import {
  EMPTY_PAGE,
  EMPTY_ROW,
  EMPTY_SEARCH,
  type FailureReading,
  type PageReading,
  type PageVerdict,
  type ParsedPage,
  type ParsedRow,
  type ParsedSearch,
  SEARCH_PROVIDERS,
  type SearchProvider,
} from '../../src/index.ts';
import { DECLARED, DECLARED_ANSWERS } from './declared-examples.ts';

/** Where a provider's part is. */
export const partOf = (slug: string, file: string): URL =>
  new URL(`../../src/${slug}/${file}`, import.meta.url);

const Call = z.strictObject({
  method: z.enum(['GET', 'POST']),
  subdomain: z.string().optional(),
  path: z.string(),
  query: z.record(z.string(), z.unknown()).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.record(z.string(), z.unknown()).optional(),
});

/**
 * A failed answer; `reading` is what it means, absent where the general reading of statuses holds.
 */
const Failure = z.strictObject({
  title: z.string(),
  status: z.int(),
  /** As parsed JSON, or text when it is not JSON. */
  body: z.unknown(),
  headers: z.record(z.string(), z.string()).default({}),
  reading: z.custom<FailureReading>().optional(),
});

/** Another form of a provider: the call at tier max, where it differs, and its own failures. */
const OtherForm = z.strictObject({ call: Call.optional(), failures: z.array(Failure).min(1) });

/** Rows and members that hold nothing are left out. */
const Parsed = z
  .custom<Partial<Omit<ParsedSearch, 'rows'>> & { rows: readonly Partial<ParsedRow>[] }>()
  .transform(
    (parsed): ParsedSearch => ({
      ...EMPTY_SEARCH,
      ...parsed,
      rows: parsed.rows.map((row) => ({ ...EMPTY_ROW, ...row })),
    }),
  );

/**
 * What the contract suite needs of one search. Bodies are composed by us in the vendor's true
 * shape.
 */
const SearchFixture = z.strictObject({
  query: z.string(),
  count: z.int(),
  /** The call of every request that has none of its own. */
  call: Call.optional(),
  /** Request shapes and the calls that the vendor's documents say they become. */
  requests: z.array(
    z.strictObject({
      title: z.string(),
      tier: z.enum(TIERS).optional(),
      fields: z.array(z.enum(RESULT_FIELDS)).optional(),
      fullContent: z.boolean().optional(),
      call: Call.optional(),
    }),
  ),
  /**
   * List prices in US dollars of a search for five results at tier `default`, by overrides: the
   * paid modes of the price page.
   */
  prices: z
    .array(z.strictObject({ overrides: z.record(z.string(), z.unknown()), usd: z.number() }))
    .min(1),
  /** An answer that holds a value for every field that the provider can supply. */
  full: z.unknown(),
  /** What `full` parses to. */
  parsed: Parsed,
  /** Well-formed "nothing found" answers. */
  empty: z.array(z.unknown()),
  /** 200 bodies that are not this provider's answer. */
  unfit: z.array(z.unknown()),
  failures: z.array(Failure),
  /**
   * How it applies each filter, and what it is sent: its parameters, or the operators in its query.
   * The values of the filters are those of `filters.test.ts`.
   */
  filters: z.record(
    z.enum(FILTERS),
    z.tuple([z.enum(['native', 'query', 'checked', 'unsupported'])], z.unknown()),
  ),
  /** Of its form without a key: the call at tier max, and its own failures. */
  keyless: OtherForm.optional(),
  /** The same with the optional key of an open source. */
  keyed: OtherForm.optional(),
});

/** A page or verdict without the members that hold nothing. */
const Reading = z
  .custom<
    | { kind: 'page'; page: Partial<ParsedPage> }
    | { kind: 'verdict'; verdict: Omit<PageVerdict, 'httpStatus'> & Partial<PageVerdict> }
    | Extract<PageReading, { kind: 'pending' }>
  >()
  .transform((reading): PageReading => {
    if (reading.kind === 'page') return { kind: 'page', page: { ...EMPTY_PAGE, ...reading.page } };
    if (reading.kind === 'pending') return reading;
    return { kind: 'verdict', verdict: { httpStatus: null, ...reading.verdict } };
  });

/**
 * What the contract suite needs of one fetch. Bodies are composed by us in the vendor's true shape.
 */
const FetchFixture = z.strictObject({
  url: z.string(),
  /** Page addresses that it must take, and that it must decline. */
  accepted: z.array(z.string()).min(1),
  declined: z.array(z.string()),
  /** Time limit of every plan, in milliseconds. */
  timeLimitMs: z.int(),
  /** The call of every request that has none of its own. */
  call: Call.optional(),
  /** Request shapes and the calls that the vendor's documents say they become. */
  requests: z.array(
    z.strictObject({
      title: z.string(),
      tier: z.enum(TIERS),
      contentFormat: z.enum(CONTENT_FORMATS).optional(),
      maxAgeSeconds: z.number().optional(),
      noCache: z.boolean().optional(),
      /** Default: the fixture's. */
      url: z.string().optional(),
      call: Call.optional(),
    }),
  ),
  /**
   * An answer that holds a value for every field that the provider can supply, as the vendor sends
   * it at tier max.
   */
  full: z.unknown(),
  /** What `full` parses to. */
  parsed: Reading,
  /**
   * Other answers with what they are read as: error pages, failure lists, empty pages, oddities.
   */
  answers: z.array(z.strictObject({ title: z.string(), body: z.unknown(), reading: Reading })),
  /** 200 bodies that are not this provider's answer. */
  unfit: z.array(z.unknown()),
  /** `page` is what a failure says about the page; it then says nothing about the call. */
  failures: z.array(Failure.extend({ page: Reading.optional() })),
  /** Of its form without a key. */
  keyless: OtherForm.optional(),
});

export type SearchFixture = z.infer<typeof SearchFixture>;
export type FetchFixture = z.infer<typeof FetchFixture>;

function read<Schema extends z.ZodType>(schema: Schema, file: URL, more: object = {}) {
  const written: object = JSON.parse(readFileSync(file, 'utf8'));
  const fixture = schema.safeParse({ ...written, ...more });
  if (!fixture.success) throw new Error(`${file.pathname}: ${z.prettifyError(fixture.error)}`);
  return fixture.data;
}

export const SEARCH_FIXTURE = 'search.fixture.json';
export const FETCH_FIXTURE = 'fetch.fixture.json';

/** Those that have the file; the test of complete folders names the others. */
export const withPart = <Declared extends { readonly slug: string }>(
  providers: readonly Declared[],
  file: string,
): readonly Declared[] => providers.filter(({ slug }) => existsSync(partOf(slug, file)));

/** Of a built-in provider, or of an example of a declared one. */
export function searchFixture(slug: string): SearchFixture {
  const full = DECLARED_ANSWERS.get(slug);
  if (full === undefined) return read(SearchFixture, partOf(slug, SEARCH_FIXTURE));
  const file = new URL(`../declared/${slug}.fixture.json`, import.meta.url);
  return read(SearchFixture, file, { full });
}

/** The providers that have a fixture. */
export const SEARCHES: readonly SearchProvider[] = [
  ...withPart(SEARCH_PROVIDERS, SEARCH_FIXTURE),
  ...DECLARED,
];

export const fetchFixture = (slug: string): FetchFixture =>
  read(FetchFixture, partOf(slug, FETCH_FIXTURE));
