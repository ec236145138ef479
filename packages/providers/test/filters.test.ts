import { COUNTRIES, FILTERS, fieldsOfTier, LANGUAGES } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import {
  brokenFilter,
  comparableUrl,
  daysOf,
  type FilterRule,
  type Filters,
  type ParsedRow,
  planFilters,
  type SearchProvider,
} from '../src/index.ts';
import { SEARCHES, searchFixture } from './support/fixtures.ts';
import { answered, searchOf } from './support/providers.ts';

const CONTEXT = { today: '2026-06-30', overrides: {}, strict: false };
const fits = () => true;

const planOf = (slug: string, filters: Filters, context: Partial<typeof CONTEXT> = {}) =>
  planFilters(searchOf(slug), filters, { ...CONTEXT, ...context }, fits);

const VALUES: Required<Filters> = {
  include_domains: ['docs.example.com'],
  exclude_domains: ['example.org', 'example.net'],
  published_after: '2026-01-02',
  published_before: '2026-03-04',
  country: 'DE',
  language: 'de',
  safe_search: 'strict',
};

const NATIVE = 'native';
const QUERY = 'query';
const CHECKED = 'checked';
const NONE = 'unsupported';

/** A rule, and what applies where it does not. */
function rulesIn(rule: FilterRule): readonly FilterRule[] {
  const otherwise = 'otherwise' in rule ? rule.otherwise : undefined;
  return otherwise ? [rule, ...rulesIn(otherwise)] : [rule];
}

describe.each(SEARCHES.map(({ slug }) => [slug, searchFixture(slug)] as const))(
  'filters of %s',
  (slug, { filters: expected }) => {
    test.each(FILTERS)('%s', (name) => {
      const [method, sent] = expected[name];
      const plan = planOf(slug, { [name]: VALUES[name] });
      expect(plan.methods).toEqual({ [name]: method });
      expect(plan.parameters).toEqual(method === NATIVE ? sent : {});
      expect(plan.operators).toBe(method === QUERY ? sent : '');
      const isShown = /_domains$|^published_after$/.test(name);
      const isLastDay = name === 'published_before' && !['brave', 'kagi'].includes(slug);
      const isChecked = method !== NONE && (isShown || isLastDay);
      expect(plan.checks).toEqual(isChecked ? { [name]: VALUES[name] } : {});
      expect(plan.unsupported.map(({ filter }) => filter)).toEqual(method === NONE ? [name] : []);
    });

    test('each rule has a reason that completes a sentence', () => {
      for (const rule of Object.values(searchOf(slug).filters).flatMap(rulesIn)) {
        expect(rule.reason).toMatch(/^[a-z].*[^.]$/);
      }
    });

    test('only what rows show is checked', () => {
      const { filters, capabilities } = searchOf(slug);
      for (const name of FILTERS) {
        if (!rulesIn(filters[name]).some(({ kind }) => kind === 'checked')) continue;
        const isDate = name.startsWith('published');
        expect(isDate ? capabilities.publish_date.kind : name).not.toBe('never');
        expect(isDate || name.endsWith('_domains')).toBe(true);
      }
    });

    test('every country, language and degree is applied or named', () => {
      const degrees = ['off', 'moderate', 'strict'] as const;
      const values: Filters[] = [
        ...[...COUNTRIES].map((country) => ({ country })),
        ...[...LANGUAGES].map((language) => ({ language })),
        ...degrees.map((safe_search) => ({ safe_search })),
      ];
      for (const filters of values) {
        const { methods, parameters, operators, unsupported } = planOf(slug, filters);
        const [method] = Object.values(methods);
        expect([NATIVE, QUERY, NONE]).toContain(method);
        expect(Object.keys(parameters).length > 0).toBe(method === NATIVE);
        expect(operators !== '').toBe(method === QUERY);
        expect(unsupported.length > 0).toBe(method === NONE);
      }
    });
  },
);

describe('values that vendors spell otherwise or do not accept', () => {
  test.each<[string, Filters, object]>([
    ['brave', { language: 'ja' }, { search_lang: 'jp' }],
    ['brave', { language: 'pt', country: 'BR' }, { search_lang: 'pt-br', country: 'BR' }],
    ['brave', { language: 'pt' }, {}],
    ['brave', { country: 'KE' }, {}],
    ['you', { language: 'zh', country: 'TW' }, { language: 'ZH-HANT', country: 'TW' }],
    ['serpapi', { language: 'he' }, { lr: 'lang_iw' }],
    ['serpapi', { language: 'zh' }, { lr: 'lang_zh-CN|lang_zh-TW' }],
    ['serpapi', { country: 'GB' }, { gl: 'uk' }],
    ['serpapi', { country: 'SS' }, {}],
    ['serpapi', { language: 'hy' }, { lr: 'lang_hy' }],
    ['serpapi', { published_after: '2026-06-30' }, { as_qdr: 'd1' }],
    ['serpapi', { published_after: '2027-01-01' }, { as_qdr: 'd1' }],
    ['tavily', { country: 'CZ' }, { country: 'czech republic' }],
    ['tavily', { country: 'AQ' }, {}],
    ['linkup', { published_before: '1970-01-01' }, {}],
    ['exa', { safe_search: 'off' }, { moderation: false }],
  ])('%s with %j', (slug, filters, parameters) => {
    expect(planOf(slug, filters).parameters).toEqual(parameters);
  });

  test.each<[Filters, string]>([
    [{ country: 'KE' }, 'loc:ke'],
    [{ language: 'pt' }, 'lang:pt'],
    [{ language: 'el', country: 'GR' }, 'loc:gr lang:el'],
    [{ language: 'fa', include_domains: ['a.example'] }, 'site:a.example lang:fa'],
  ])('brave has operators for what its lists lack: %j', (filters, operators) => {
    expect(planOf('brave', filters).operators).toBe(operators);
  });

  test('both dates are one range', () => {
    const dates = { published_after: '2026-01-02', published_before: '2026-03-04' };
    const range = { freshness: '2026-01-02to2026-03-04' };
    expect(planOf('brave', dates).parameters).toEqual(range);
    expect(planOf('you', dates).parameters).toEqual(range);
  });

  test.each([
    [{ published_after: '2027-01-01' }, '2027-01-01to2027-01-01'],
    [{ published_before: '1960-01-01' }, '1960-01-01to1960-01-01'],
  ])('a range stays in order: %j', (filters, freshness) => {
    expect(planOf('brave', filters).parameters).toEqual({ freshness });
  });

  test('operators of brave that fit alone and not together are sent in part', () => {
    const hostsOf = (name: string) =>
      Array.from({ length: 8 }, (_, at) => `${name}${at}.example.com`);
    const [include_domains, exclude_domains] = [hostsOf('documents'), hostsOf('advertising')];
    const brave = searchOf('brave');
    const most = brave.queryLimit.characters ?? 0;
    const sent = (operators: string) => `tidal power ${operators}`;
    const planned = (filters: Filters) =>
      planFilters(brave, filters, CONTEXT, (operators) => sent(operators).length <= most);
    const [included, excluded] = [planned({ include_domains }), planned({ exclude_domains })];
    expect([included.methods, excluded.methods]).toEqual([
      { include_domains: QUERY },
      { exclude_domains: QUERY },
    ]);
    expect(sent(`${included.operators} ${excluded.operators}`).length).toBeGreaterThan(most);
    const both = planned({ include_domains, exclude_domains });
    expect(both.methods).toEqual({ include_domains: QUERY, exclude_domains: NATIVE });
    expect(both.operators).toBe(included.operators);
    expect(sent(both.operators).length).toBeLessThanOrEqual(most);
    expect(both.checks).toEqual({ include_domains, exclude_domains });
  });

  test('more hosts than perplexity accepts are checked', () => {
    const hosts = Array.from({ length: 21 }, (_, index) => `h${index}.example.com`);
    expect(planOf('perplexity', { include_domains: hosts }).methods).toEqual({
      include_domains: CHECKED,
    });
  });

  test.each([
    [{ published_after: '2020-01-01' }, { pub_year_min: 2020 }],
    [{ published_before: '2021-12-31' }, { pub_year_max: 2021 }],
    [{ published_after: '2020-01-02' }, {}],
    [{ published_before: '2021-12-30' }, {}],
  ])('papers of tinyfish are filtered by whole years: %j', (filters, parameters) => {
    const plan = planOf('tinyfish', filters, { overrides: { domain_type: 'research_paper' } });
    expect(plan.parameters).toEqual(parameters);
    const isWhole = Object.keys(parameters).length > 0;
    expect(Object.values(plan.methods)).toEqual([isWhole ? NATIVE : NONE]);
  });

  test('tavily has countries for topic general only', () => {
    const overrides = { topic: 'news' };
    expect(planOf('tavily', { country: 'DE' }, { overrides }).methods).toEqual({ country: NONE });
  });

  test.each([true, false])(
    'tavily is checked for days where an override sets dates to %s',
    (dates) => {
      const plan = planOf(
        'tavily',
        { published_after: '2026-01-02' },
        { overrides: { include_published_date: dates } },
      );
      expect(plan.overridden).toEqual([]);
      expect(plan.checks).toEqual({ published_after: '2026-01-02' });
      expect(plan.parameters).toEqual({ start_date: '2026-01-02' });
    },
  );

  test('tavily has no safe search where an override asks for a fast search', () => {
    const plan = planOf('tavily', { safe_search: 'off' }, { overrides: { search_depth: 'fast' } });
    expect(plan.methods).toEqual({ safe_search: NONE });
  });
});

const NOW = Date.parse('2026-06-30T12:00:00Z');
const MAX = { tier: 'max', fields: new Set(fieldsOfTier('max')), fullContent: true } as const;

const rowsOf = (provider: SearchProvider, body: unknown): readonly ParsedRow[] =>
  provider.parse(provider.response.parse(body), answered({ ...MAX, overrides: {} })).rows;

/** The filter of these that drops a row; undefined = it stays. */
function dropOf(provider: SearchProvider, row: ParsedRow, filters: Filters, strict: boolean) {
  const plan = planFilters(provider, filters, { ...CONTEXT, strict }, fits);
  const domain = comparableUrl(row.url ?? '')?.domain ?? '';
  const date = row.sent_date ?? row.publish_date;
  return brokenFilter({ domain, date }, { ...plan, strict, now: NOW });
}

test.each([
  ['tinyfish', { results: [{ url: 'https://a.example/', date: '1 year ago' }] }],
  ['acme-docs', { data: { hits: [{ link: 'https://a.example/', changed_at: '1 year ago' }] } }],
])('a row of %s is checked by the words of its date', (slug, body) => {
  const provider = searchOf(slug);
  const dropped = rowsOf(provider, body).map((row) =>
    dropOf(provider, row, { published_after: '2026-06-01' }, false),
  );
  expect(dropped).toEqual(['published_after']);
});

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

describe.each(
  SEARCHES.flatMap((provider) =>
    [false, true].map((strict) => [provider.slug, strict, provider] as const),
  ),
)('rows of %s, strict %s', (slug, strict, provider) => {
  const rows = rowsOf(provider, searchFixture(slug).full).filter(({ url }) =>
    comparableUrl(url ?? ''),
  );
  const methodOf = (filters: Filters) =>
    Object.values(planFilters(provider, filters, { ...CONTEXT, strict }, fits).methods)[0];

  test('stay inside of the hosts of a filter, and go outside of them', () => {
    for (const row of rows) {
      const host = comparableUrl(row.url ?? '')?.domain ?? '';
      const drops = (filters: Filters) => dropOf(provider, row, filters, strict);
      expect(drops({ include_domains: [host] })).toBeUndefined();
      expect(drops({ include_domains: ['elsewhere.test'] })).toBe('include_domains');
      expect(drops({ exclude_domains: ['elsewhere.test'] })).toBeUndefined();
      expect(drops({ exclude_domains: [host] })).toBe('exclude_domains');
    }
  });

  test('stay inside of the days of a filter, and go outside of them', () => {
    for (const row of rows) {
      const days = daysOf(row.sent_date ?? row.publish_date, NOW);
      const drops = (filters: Filters) => dropOf(provider, row, filters, strict);
      for (const name of ['published_after', 'published_before'] as const) {
        const method = methodOf({ [name]: '2026-01-01' });
        if (method === NONE) continue;
        if (days === null) {
          const isOut = strict && method !== NATIVE;
          expect(drops({ [name]: '2026-01-01' })).toBe(isOut ? name : undefined);
        } else {
          const isLast = name === 'published_before';
          const edge = isLast ? days.first : days.last;
          if (edge.length < 10 || edge.endsWith('~')) continue;
          expect(drops({ [name]: edge })).toBeUndefined();
          const outside = dayAfter(edge, isLast ? -1 : 1);
          const isChecked = !isLast || provider.rowDates === undefined;
          expect(drops({ [name]: outside })).toBe(isChecked ? name : undefined);
        }
      }
    }
  });

  test('are what preferences are not enough for in mode strict', () => {
    for (const name of FILTERS) {
      const rule = provider.filters[name];
      expect(rule.reason.startsWith('prefers')).toBe(
        (rule.kind === 'native' && rule.isPreference === true) ||
          /cr also restricts/.test(rule.reason),
      );
      if (rule.kind !== 'native' || !rule.isPreference) continue;
      expect(methodOf({ [name]: VALUES[name] })).toBe(strict ? NONE : NATIVE);
    }
  });
});
