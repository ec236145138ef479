import { fieldsOfTier } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import {
  brokenFilter,
  comparableUrl,
  daysOf,
  type Filters,
  type ParsedRow,
  planFilters,
  SEARCH_PROVIDERS,
  type SearchProvider,
} from '../src/index.ts';
import { answered } from './support/providers.ts';
import { hasRecordings, NO_RECORDINGS, readIndex, readRecording } from './support/recordings.ts';

interface Recording {
  readonly file: string;
  readonly provider: string;
  readonly kind: string;
  readonly http_status: number;
  readonly request: {
    readonly path?: string;
    readonly params?: Readonly<Record<string, unknown>>;
  };
}

const wanted = {
  tier: 'max',
  fields: new Set(fieldsOfTier('max')),
  fullContent: true,
  overrides: {},
} as const;

/** Recordings of another endpoint of the same vendor, which we never call. */
const OTHER_ENDPOINTS = [
  ...['/res/v1/llm/context', '/v1/fetch', '/chat/completions'],
  ...['/w/rest.php/v1/search/page', '/2.2/questions', '/v3.0/search'],
  ...['/v2/search/research/papers', '/v2/search/developer', '/v2/scrape', '/v1/scrape', '/extract'],
  ...['/api/v1/lei-records/{lei}', '/api/v1/fuzzycompletions', '/api/v1/autocompletions'],
];

/** Calls of the same endpoint that we never make, and whose rows have no address. */
const OTHER_CALLS: readonly Readonly<Record<string, string>>[] = [
  { list: 'search' },
  { prop: 'extracts' },
  { resultType: 'idlist' },
];

const isOtherCall = ({ kind, request: { params = {} } }: Recording): boolean =>
  kind === 'search' &&
  OTHER_CALLS.some((call) => Object.entries(call).every(([name, value]) => params[name] === value));

/** Vendors whose 429 can also mean used-up credit say so by these codes. */
const OUT_OF_CREDIT = /BUDGET_LIMIT|INSUFFICIENT_FUNDS/;

/** Of some answers only the rows were kept, or a single one. */
function whole(file: string, kept: unknown): unknown {
  if (file.includes('-items-') && Array.isArray(kept)) return { items: kept };
  if (!file.startsWith('edgar/search/row-')) return kept;
  return { hits: { total: { value: 1, relation: 'eq' }, hits: [kept] } };
}

const NOW = Date.parse('2026-11-28T12:00:00Z');

/** Rows that go although the filters include the days and hosts of all. */
function rowsLost(provider: SearchProvider, rows: readonly ParsedRow[]) {
  const checked = rows.flatMap(({ url, sent_date, publish_date }) => {
    const domain = comparableUrl(url ?? '')?.domain;
    return domain ? [{ domain, date: sent_date ?? publish_date }] : [];
  });
  const days = checked.flatMap(({ date }) => daysOf(date, NOW) ?? []);
  const filters: Filters = {
    include_domains: checked.map(({ domain }) => domain),
    exclude_domains: ['elsewhere.test'],
    published_after: days.map(({ last }) => last.replace('~~~', '-28').slice(0, 10)).toSorted()[0],
    published_before: days
      .map(({ first }) => first.padEnd(10, '-01'))
      .toSorted()
      .at(-1),
  };
  const context = { today: '2026-11-28', overrides: {}, strict: true };
  const plan = planFilters(provider, filters, context, () => true);
  return checked.filter(
    (row) => row.date !== null && brokenFilter(row, { ...plan, strict: true, now: NOW }),
  );
}

if (!hasRecordings) {
  test.skip(`recorded answers ${NO_RECORDINGS}`, () => {});
} else {
  const recorded = readIndex<Recording>().filter(
    (one) => !OTHER_ENDPOINTS.includes(one.request.path ?? '') && !isOtherCall(one),
  );
  // some vendors lack recorded answers
  const known = SEARCH_PROVIDERS.filter(({ slug }) =>
    recorded.some(({ provider }) => provider === slug),
  );
  describe.each(known.map((provider) => [provider.slug, provider] as const))(
    'real answers of %s',
    (slug, provider) => {
      const own = recorded.filter(({ provider: name }) => name === slug);
      const read = (file: string): unknown => {
        const written = readRecording(file);
        if (file.endsWith('.json')) return whole(file, JSON.parse(written));
        return provider.readText?.(written) ?? written;
      };

      test.each(own.filter(({ kind }) => kind === 'search').map(({ file }) => [file]))(
        '%s is a success with every row readable',
        (file) => {
          const answer = provider.response.safeParse(read(file));
          expect(answer.success).toBe(true);
          const { rows } = provider.parse(answer.data, answered(wanted));
          expect(rows.length > 0).toBe(!file.includes('empty'));
          for (const row of rows) {
            expect(row.url).toMatch(/^https?:/);
            expect(row.title).not.toMatch(/<\w+>|&#?\w+;|\s\s/);
            expect(row.summary ?? '').not.toMatch(/<\/?strong>|&#x27;|&quot;/);
            expect(row.thumbnail ?? 'https:').toMatch(/^https?:/);
          }
          expect(rowsLost(provider, rows)).toEqual([]);
        },
      );

      test.each(
        own
          .filter(({ kind }) => kind === 'error')
          .map(({ file, http_status }) => [file, http_status] as const),
      )('%s gets the right code', (file, status) => {
        const body = read(file);
        expect(provider.response.safeParse(body).success).toBe(false);
        const reading = provider.readFailure?.({ status, body, headers: {} });
        if (status === 429) {
          const code = OUT_OF_CREDIT.test(JSON.stringify(body))
            ? 'quota_exhausted'
            : 'rate_limited';
          expect(reading?.code ?? 'rate_limited').toBe(code);
        }
      });
    },
  );
}
