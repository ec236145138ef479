/** https://api.crossref.org/swagger-ui/index.html, https://github.com/CrossRef/rest-api-doc */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import { defineProvider } from '../declaration/declare.ts';
import { native, ownHosts, unsupported } from '../declaration/filters.ts';
import { defineSearch, recordCapabilities, supplied } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { knownDate, rowReader } from '../parsed/rows.ts';
import { isoDate } from '../values/dates.ts';
import { list, object, objects } from '../values/json.ts';
import {
  joinedTexts,
  type LimitedText,
  limitedText,
  limitedTitle,
  openingOf,
  text,
  titleText,
} from '../values/text.ts';

/** The members that are asked for; the references of a work alone may be 100 KB. */
const MEMBERS = [
  ...['DOI', 'URL', 'title', 'subtitle', 'container-title', 'author', 'abstract', 'issued'],
  ...['published', 'published-online', 'published-print', 'type', 'publisher'],
  ...['is-referenced-by-count', 'score', 'license', 'resource'],
];

const RANGE = native('takes a range of publication days in filter', (filters) => {
  const { published_after: after, published_before: before } = filters;
  const parts = [
    ...(after === undefined ? [] : [`from-pub-date:${after}`]),
    ...(before === undefined ? [] : [`until-pub-date:${before}`]),
  ];
  return { filter: parts.join(',') };
});

/**
 * Abstracts come in JATS, whose names of elements have a prefix. Its titles, such as "Abstract",
 * are headings.
 */
const JATS_TITLE = /<jats:title>[^<]{0,200}<\/jats:title>/g;
const JATS_BLOCK = /<\/?jats:(?:p|sec|list|list-item|disp-quote|disp-formula)(?:\s[^<>]*)?\/?>/g;
const JATS_INLINE = /<\/?jats:[a-z-]{1,40}(?:\s[^<>]*)?\/?>/g;

function abstractOf(value: unknown): LimitedText | null {
  if (typeof value !== 'string') return null;
  const html = value
    .replace(JATS_TITLE, ' ')
    .replace(JATS_BLOCK, ' ')
    .replace(JATS_INLINE, '')
    .replace(/\s+/g, ' ');
  return limitedText(html);
}

/**
 * A year, a month or a day, as precise as it is known. The stamps of the registration are no dates
 * of publication.
 */
function dateOf(row: JsonObject): string | null {
  for (const name of ['published-online', 'published-print', 'published', 'issued']) {
    const [parts] = list(object(row[name])['date-parts']);
    const numbers = list(parts).filter((part) => Number.isInteger(part));
    const date = isoDate(numbers.map((part) => String(part).padStart(2, '0')).join('-'));
    if (date !== null) return date;
  }
  return null;
}

function authorOf(author: JsonObject): LimitedText | null {
  const names = [limitedTitle(author.given), limitedTitle(author.family)];
  const person = joinedTexts(
    names.filter((name) => name !== null),
    ' ',
  );
  return person ?? limitedTitle(author.name);
}

/** A summary of a work without an abstract: who wrote it, where and when. */
function factsOf(authors: LimitedText | null, row: JsonObject, date: string | null) {
  const container = titleText(list(row['container-title'])[0]);
  const facts = [authors?.text, container, titleText(row.publisher), date?.slice(0, 4)];
  return limitedText(facts.filter(Boolean).join('. '));
}

const rowsIn = rowReader({
  dropped: [
    ...['DOI', 'URL', 'title', 'author', 'abstract', 'issued', 'published', 'license'],
    ...['published-online', 'published-print'],
  ],
  more: (row, left) => {
    const doi = text(row.DOI);
    const abstract = abstractOf(row.abstract);
    const date = dateOf(row);
    const authors = joinedTexts(
      objects(row.author).flatMap((author) => authorOf(author) ?? []),
      ', ',
    );
    const license = objects(row.license).flatMap(({ URL: url }) => text(url) ?? [])[0];
    return {
      url: doi === null ? null : `https://doi.org/${encodeURI(doi)}`,
      title:
        limitedTitle(list(row.title)[0]) ??
        limitedTitle(list(row['container-title'])[0]) ??
        limitedTitle(doi),
      summary: openingOf(abstract) ?? factsOf(authors, row, date),
      excerpt: abstract,
      date: knownDate(date),
      author: authors,
      enrichments: {
        ...left,
        ...(doi === null ? {} : { doi }),
        ...(license === undefined ? {} : { license }),
      },
    };
  },
});

/** More rows than wanted, since some are figures and tables of works, which are left out. */
const SPARE_ROWS = 5;
const isWork = (item: unknown): boolean => object(item).type !== 'component';

const search = defineSearch({
  description: 'Papers, books and data sets with a DOI, of all publishers.',
  docsUrl: 'https://www.crossref.org/documentation/retrieve-metadata/rest-api/',
  count: { control: 'native', parameter: 'rows', max: 1_000 },
  capabilities: recordCapabilities({ excerpt: supplied }),
  hosts: ['doi.org'],
  filters: {
    ...ownHosts('doi.org'),
    published_after: RANGE,
    published_before: RANGE,
    country: unsupported('does not know the countries of works'),
    language: unsupported('knows the language of few works'),
    safe_search: unsupported('has no safe search'),
  },
  queryLimit: { characters: 500 },
  timeoutMs: 20_000,
  refusedOverrides: ['mailto'],
  request: ({ query, count }) => ({
    method: 'GET',
    path: '/works',
    query: { query, rows: count + SPARE_ROWS, select: MEMBERS.join(',') },
  }),
  response: z.looseObject({ message: z.looseObject({ items: z.array(z.unknown()) }) }),
  parse: ({ message }) => ({ rows: rowsIn(message.items.filter(isWork)) }),
});

export const crossref = defineProvider({
  slug: 'crossref',
  name: 'Crossref',
  baseUrl: 'https://api.crossref.org',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: '10 requests a second with a contact, 5 without, one at a time then',
    pace: { everyMs: 334, inFlight: 3 },
    contact: {
      kind: 'faster',
      paceWithout: { everyMs: 1_000, inFlight: 1 },
      parameter: 'mailto',
    },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://www.crossref.org/operations-and-sustainability/privacy/',
    checked: '2026-11-27',
    note: 'A public service of a membership organization. Queries are logged; nothing was found on training.',
  },
  search,
});
