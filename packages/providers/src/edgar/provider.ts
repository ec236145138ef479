/**
 * https://efts.sec.gov/LATEST/search-index: the search behind https://www.sec.gov/edgar/search/,
 * which has no reference
 */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { native, ownHosts, unsupported } from '../declaration/filters.ts';
import { defineSearch, recordCapabilities, supplied } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { knownDate, rowReader } from '../parsed/rows.ts';
import { keywordsOf } from '../request/keywords.ts';
import { isoDate } from '../values/dates.ts';
import { list, object, objects } from '../values/json.ts';
import { limitedText, limitedTitle, text, texts, titleText } from '../values/text.ts';

const OLDEST = '2001-01-01';

/** Both days or none. */
const RANGE = native(
  'takes a range of filing days in startdt and enddt',
  ({ published_after: after = OLDEST, published_before: before }, { today }) => ({
    dateRange: 'custom',
    startdt: after < OLDEST ? OLDEST : after,
    enddt: before ?? today,
  }),
);

interface Filer {
  readonly name: string;
  readonly ticker: string | null;
  readonly cik: string;
}

/**
 * `Example Energy, Inc.  (EXEN, EXE)  (CIK 0001234567)`: two blanks before each group. Other
 * brackets are part of the name.
 */
function filerOf(shown: string): Filer | null {
  const groups = shown.slice(0, 1_000).split('  (');
  const cik = /^CIK (\d{10})\)$/.exec(groups.at(-1)?.trim() ?? '')?.[1];
  const name = titleText(groups[0]);
  if (cik === undefined || name === null) return null;
  const ticker = groups.length > 2 ? (groups[1]?.replace(/\)$/, '') ?? null) : null;
  return { name, ticker, cik };
}

const filersOf = (names: unknown): readonly Filer[] =>
  texts(names).flatMap((shown) => filerOf(shown) ?? []);

const ACCESSION = /^\d{10}-\d{2}-\d{6}$/;

/** The document in the archive; with `xsl`, the view of it that people can read. */
function addressOf(id: string | null, source: JsonObject): string | null {
  const accession = text(source.adsh);
  const file = id?.slice(id.indexOf(':') + 1);
  const [cik] = texts(source.ciks);
  if (accession === null || !ACCESSION.test(accession) || !file || !/^\d{1,10}$/.test(cik ?? '')) {
    return null;
  }
  const view = text(source.xsl);
  const parts = [
    Number(cik),
    accession.replaceAll('-', ''),
    ...(view === null ? [] : [view]),
    file,
  ];
  return `https://www.sec.gov/Archives/edgar/data/${parts.map((part) => encodeURIComponent(part)).join('/')}`;
}

function readHit(hit: JsonObject) {
  const source = object(hit._source);
  const [filer] = filersOf(source.display_names);
  const form = titleText(source.form);
  const document = titleText(source.file_description) ?? titleText(source.file_type);
  const period = isoDate(source.period_ending);
  const items = texts(source.items);
  const title = [filer?.name, form, document === form ? null : document, period].filter(Boolean);
  const filed = isoDate(source.file_date);
  const facts = [
    filer && `Filer ${filer.name}${filer.ticker === null ? '' : ` (${filer.ticker})`}`,
    form && `form ${form}`,
    titleText(source.file_type) && `document ${titleText(source.file_type)}`,
    items.length > 0 ? `items ${items.join(', ')}` : null,
    filed && `filed ${filed}`,
    period && `period to ${period}`,
  ].filter(Boolean);
  return {
    url: addressOf(text(hit._id), source),
    title: limitedTitle(title.join(', ')),
    summary: limitedText(facts.join('; ')),
  };
}

const rowsIn = rowReader({
  within: '_source',
  date: { at: 'file_date', read: (filed) => knownDate(isoDate(filed)) },
  author: { at: 'display_names', read: (names) => limitedTitle(filersOf(names)[0]?.name) },
  more: readHit,
});

/**
 * One hit of each filing, the main document rather than an attachment. Their order is that of the
 * best hit of each.
 */
function onePerFiling(hits: readonly JsonObject[]): readonly JsonObject[] {
  const best = new Map<string, JsonObject>();
  for (const [index, hit] of hits.entries()) {
    const source = object(hit._source);
    const key = text(source.adsh) ?? `hit ${index}`;
    // a number in some hits, a text in others
    const isMain = Number(source.sequence) === 1;
    if (!best.has(key) || isMain) best.set(key, hit);
  }
  return [...best.values()];
}

function entitiesOf(hits: readonly JsonObject[]) {
  const filers = hits.flatMap((hit) => filersOf(object(hit._source).display_names));
  const byNumber = new Map(filers.map((filer) => [filer.cik, filer]));
  return [...byNumber.values()].map(({ name, ticker, cik }) => ({
    name,
    type: null,
    description: [`CIK ${cik}`, ...(ticker === null ? [] : [`ticker ${ticker}`])].join(', '),
    url: `https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=${cik}`,
  }));
}

function readFailure({ status, body }: FailedAnswer): FailureReading | undefined {
  if (status === 403) {
    return {
      code: 'rate_limited',
      happened: 'refuses this server: too many requests, or a User-Agent that it does not accept',
      remedy: 'wait ten minutes without a request, and check that CONTACT is your e-mail address',
    };
  }
  const said = status === 200 && text(object(body).error) !== null;
  return said ? { code: 'bad_request' } : undefined;
}

const search = defineSearch({
  description:
    'Filings of companies with the U.S. Securities and Exchange Commission, in full text since 2001.',
  docsUrl: 'https://www.sec.gov/edgar/search/efts-faq.html',
  // a page has up to a hundred hits, several of one filing
  count: { control: 'trim', max: 20 },
  capabilities: recordCapabilities({ entities: supplied }),
  hosts: ['www.sec.gov'],
  filters: {
    ...ownHosts('www.sec.gov'),
    published_after: RANGE,
    published_before: RANGE,
    country: unsupported('has places in a table of its own'),
    language: unsupported('has English filings only'),
    safe_search: unsupported('has no safe search'),
  },
  queryLimit: { characters: 300 },
  timeoutMs: 15_000,
  request: ({ query }) => ({
    method: 'GET',
    path: '/LATEST/search-index',
    query: { q: keywordsOf(query).slice(0, 10).join(' ') },
  }),
  response: z.looseObject({
    hits: z.looseObject({
      total: z.looseObject({ value: z.number() }),
      hits: z.array(z.unknown()),
    }),
  }),
  parse: ({ hits }) => {
    const found = onePerFiling(objects(list(hits.hits)));
    return { rows: rowsIn(found), entities: entitiesOf(found) };
  },
  readFailure,
});

export const edgar = defineProvider({
  slug: 'edgar',
  name: 'SEC EDGAR',
  baseUrl: 'https://efts.sec.gov',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance:
      '10 requests a second over all addresses of the SEC, with an e-mail address in the User-Agent',
    // a request during a block starts its ten minutes again
    pace: { everyMs: 200, inFlight: 1, silence: { ms: 600_000, maxMs: 3_600_000 } },
    contact: { kind: 'needed' },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    ...UNKNOWN_USE,
    checked: '2026-11-27',
    note: 'Nothing was found on what becomes of queries. A service of the U.S. government, whose sites are logged.',
  },
  search,
});
