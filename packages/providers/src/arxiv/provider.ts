/** https://info.arxiv.org/help/api/user-manual.html */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading, HttpCall } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { native, ownHosts, unsupported } from '../declaration/filters.ts';
import { defineSearch, recordCapabilities, supplied } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { rowReader } from '../parsed/rows.ts';
import { joinedNames } from '../parsed/table.ts';
import { keywordsOf } from '../request/keywords.ts';
import { objects, withoutNull } from '../values/json.ts';
import { limitedText, limitedTitle, openingOf, text } from '../values/text.ts';
import { childrenOf, childText, readXml, type XmlElement } from '../values/xml.ts';

/** Days as the index writes times, both ends included; it wants both. */
const RANGE = native('takes a range of days on which papers were submitted', (filters) => {
  const { published_after: after = '1991-01-01', published_before: before = '3000-01-01' } =
    filters;
  const day = (date: string) => date.replaceAll('-', '');
  return { submittedDate: `[${day(after)}0000 TO ${day(before)}2359]` };
});

/** Facts of an entry that have no field of their own. */
const FACTS = ['comment', 'journal_ref', 'doi'] as const;

/** An entry of the feed as an object with the names of the feed. */
function entryOf(entry: XmlElement): JsonObject {
  const linkOf = (find: (link: XmlElement) => boolean) =>
    childrenOf(entry, 'link').find(find)?.attributes.href ?? null;
  const facts = FACTS.flatMap((name) => {
    const value = childText(entry, name)?.trim();
    return value ? [[name, value] as const] : [];
  });
  return {
    id: childText(entry, 'id'),
    title: childText(entry, 'title'),
    summary: childText(entry, 'summary'),
    published: childText(entry, 'published'),
    updated: childText(entry, 'updated'),
    authors: childrenOf(entry, 'author').map((author) => childText(author, 'name')),
    categories: childrenOf(entry, 'category').map(({ attributes }) => attributes.term ?? null),
    page: linkOf(({ attributes }) => attributes.rel === 'alternate'),
    pdf: linkOf(({ attributes }) => attributes.title === 'pdf'),
    ...Object.fromEntries(facts),
  };
}

/** A feed as an object; undefined for another text. */
function readText(answer: string): unknown {
  const feed = readXml(answer);
  if (feed?.name !== 'feed') return undefined;
  return {
    total: childText(feed, 'totalResults'),
    entries: childrenOf(feed, 'entry').map(entryOf),
  };
}

/** An error is a feed with one entry, also with HTTP 200. */
const ERROR_ID = /^https?:\/\/arxiv\.org\/api\/errors/;
const isError = ({ id }: JsonObject): boolean => ERROR_ID.test(text(id) ?? '');

function readFailure({ body }: FailedAnswer): FailureReading | undefined {
  if (typeof body !== 'string') return undefined;
  if (body.slice(0, 200).includes('Rate exceeded')) return { code: 'rate_limited' };
  return body.slice(0, 20_000).includes('arxiv.org/api/errors')
    ? { code: 'bad_request' }
    : undefined;
}

/** Without version, under which the newest one is shown. */
const VERSION = /v(\d{1,3})$/;

const overHttps = (url: string | null): string | null => url?.replace(/^http:/, 'https:') ?? null;

const rowsIn = rowReader({
  title: 'title',
  date: 'published',
  author: { at: 'authors', read: joinedNames },
  dropped: 'all',
  more: (entry) => {
    const abstract = limitedTitle(entry.summary);
    const url = overHttps(text(entry.page) ?? text(entry.id));
    const version = url === null ? null : VERSION.exec(url)?.[1];
    const { categories, comment, journal_ref, doi, pdf, updated } = entry;
    const facts = { categories, comment, journal_ref, doi, pdf, updated, version };
    return {
      url,
      summary: openingOf(abstract),
      excerpt: abstract === null ? null : limitedText(abstract.text),
      enrichments: { ...withoutNull(facts), license: 'CC0 1.0' },
    };
  },
});

/** A query of more words than this finds nothing, since each of them has to occur. */
const WORDS_MAX = 12;

/** Each word needs the prefix: without it, only the first one is looked for in all fields. */
const searchOf = (query: string): string =>
  keywordsOf(query)
    .filter((word) => !/^(?:AND|OR|ANDNOT)$/.test(word))
    .slice(0, WORDS_MAX)
    .map((word) => `all:${word}`)
    .join(' AND ');

/** In the path, since the colon of a prefix must not be escaped. */
function place({ query = {}, path, ...call }: HttpCall): HttpCall {
  const { search_query: words, submittedDate: days, ...rest } = query;
  const searched = [words, days === undefined ? undefined : `submittedDate:${days}`];
  const written = encodeURIComponent(searched.filter(Boolean).join(' AND '));
  const plain = written.replaceAll('%3A', ':').replaceAll('%20', '+');
  return { ...call, path: `${path}?search_query=${plain}`, query: rest };
}

const search = defineSearch({
  description: 'Preprints in physics, mathematics, computer science and related fields.',
  docsUrl: 'https://info.arxiv.org/help/api/user-manual.html',
  count: { control: 'native', parameter: 'max_results', max: 2_000 },
  capabilities: recordCapabilities({ excerpt: supplied }),
  hosts: ['arxiv.org'],
  filters: {
    ...ownHosts('arxiv.org'),
    published_after: RANGE,
    published_before: RANGE,
    country: unsupported('does not know the countries of papers'),
    language: unsupported('does not know the languages of papers, nearly all of which are English'),
    safe_search: unsupported('has no safe search'),
  },
  queryLimit: { characters: 300 },
  timeoutMs: 20_000,
  request: ({ query, count }) => ({
    method: 'GET',
    path: '/api/query',
    headers: { accept: 'application/atom+xml' },
    query: { search_query: searchOf(query), start: 0, max_results: count },
  }),
  place,
  response: z
    .looseObject({ entries: z.array(z.unknown()) })
    .refine(({ entries }) => !objects(entries).some(isError)),
  readText,
  parse: ({ entries }) => ({ rows: rowsIn(entries) }),
  readFailure,
});

export const arxiv = defineProvider({
  slug: 'arxiv',
  name: 'arXiv',
  baseUrl: 'https://export.arxiv.org',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: 'one request in three seconds, one at a time, over all machines of an operator',
    // it refuses callers for minutes to hours, also at this pace
    pace: { everyMs: 3_000, inFlight: 1, silence: { ms: 60_000, maxMs: 1_800_000 } },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    ...UNKNOWN_USE,
    checked: '2026-11-27',
    note: 'Nothing was found on what becomes of queries. A public service of Cornell University; its terms of use are about pace and acknowledgement.',
  },
  search,
});
