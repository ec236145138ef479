/** https://europepmc.org/RestfulWebService */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading, HttpCall } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { native, ownHosts, unsupported } from '../declaration/filters.ts';
import { defineSearch, recordCapabilities, supplied } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { knownDate, rowReader } from '../parsed/rows.ts';
import { keywordsOf } from '../request/keywords.ts';
import { dayOf, isoDate } from '../values/dates.ts';
import { list, object, objects } from '../values/json.ts';
import { limitedText, openingOf, text, titleText } from '../values/text.ts';
import languages from './languages.json' with { type: 'json' };

/** The three-letter codes of ISO 639-2 that the index uses, by those of ISO 639-1. */
const LANGUAGES: Readonly<Record<string, string>> = languages;

const RANGE = native(
  'takes a range of days in the field FIRST_PDATE',
  ({ published_after: after = '1800-01-01', published_before: before = '3000-12-31' }) => ({
    FIRST_PDATE: `[${after} TO ${before}]`,
  }),
);

/** Fields of a query that filters set. */
const FIELDS = ['FIRST_PDATE', 'LANG'] as const;

function place({ query = {}, ...call }: HttpCall): HttpCall {
  const { FIRST_PDATE, LANG, ...rest } = query;
  const fields = { FIRST_PDATE, LANG };
  const said = FIELDS.flatMap((name) =>
    fields[name] === undefined ? [] : [`${name}:${fields[name]}`],
  );
  const words = [String(rest.query ?? ''), ...said].filter((part) => part !== '');
  return { ...call, query: { ...rest, query: words.join(' AND ') } };
}

/** A heading of an abstract, such as "Background", is set off from the text before it. */
const withHeadings = (abstract: string): string =>
  abstract.replace(/<h4>([^<]{0,200})<\/h4>/g, ' $1: ').replace(/\s+/g, ' ');

/**
 * The day of an issue may be months away; then the day of its publication online, or in this index,
 * is the true one.
 */
function dateOf(row: JsonObject, today: string): string | null {
  const days = ['firstPublicationDate', 'electronicPublicationDate', 'firstIndexDate'] as const;
  const known = days.flatMap((name) => isoDate(row[name]) ?? []);
  return known.find((date) => date <= today) ?? known[0] ?? null;
}

const rowsIn = rowReader({
  title: 'title',
  author: 'authorString',
  dropped: 'all',
  more: (row, _left, today: string) => {
    const [id, source] = [text(row.id), text(row.source)];
    const raw = text(row.abstractText);
    const abstract = raw === null ? null : limitedText(withHeadings(raw));
    const journal = titleText(object(object(row.journalInfo).journal).title ?? row.journalTitle);
    const doi = text(row.doi);
    const facts = [titleText(row.authorString), journal, text(row.pubYear)].filter(Boolean);
    return {
      url: id === null || source === null ? null : `https://europepmc.org/article/${source}/${id}`,
      summary: openingOf(abstract) ?? limitedText(facts.join('. ')),
      excerpt: abstract,
      date: knownDate(dateOf(row, today)),
      enrichments: {
        ...chosen(row),
        ...(journal === null ? {} : { journal }),
        ...(doi === null ? {} : { doi_url: `https://doi.org/${encodeURI(doi)}` }),
        isOpenAccess: row.isOpenAccess === 'Y',
        fullTextUrls: objects(object(row.fullTextUrlList).fullTextUrl).flatMap(
          ({ url }) => text(url) ?? [],
        ),
        keywords: list(object(row.keywordList).keyword),
        pubType: list(object(row.pubTypeList).pubType),
      },
    };
  },
});

/** Affiliations hold e-mail addresses, so members are chosen and not left over. */
const CHOSEN = ['source', 'pmid', 'pmcid', 'doi', 'citedByCount', 'language', 'license'] as const;

const chosen = (row: JsonObject): JsonObject =>
  Object.fromEntries(
    CHOSEN.flatMap((name) => (row[name] == null ? [] : [[name, row[name]] as const])),
  );

function readFailure({ body }: FailedAnswer): FailureReading | undefined {
  const { errCode, errMsg } = object(body);
  return errCode === undefined && errMsg === undefined ? undefined : { code: 'bad_request' };
}

const search = defineSearch({
  description: 'Papers of medicine and the life sciences, with PubMed and preprints.',
  docsUrl: 'https://europepmc.org/RestfulWebService',
  count: { control: 'native', parameter: 'pageSize', max: 1_000 },
  capabilities: recordCapabilities({ excerpt: supplied }),
  hosts: ['europepmc.org'],
  filters: {
    ...ownHosts('europepmc.org'),
    published_after: RANGE,
    published_before: RANGE,
    country: unsupported('does not know the countries of papers'),
    language: native(
      'takes a language in the field LANG',
      ({ language = '' }) => {
        const code = LANGUAGES[language];
        return code === undefined ? null : { LANG: code };
      },
      unsupported('does not know this language'),
    ),
    safe_search: unsupported('has no safe search'),
  },
  queryLimit: { characters: 1_000 },
  timeoutMs: 20_000,
  refusedOverrides: ['format', 'resulttype'],
  request: ({ query, count }) => ({
    method: 'GET',
    path: '/search',
    query: {
      query: keywordsOf(query).join(' '),
      format: 'json',
      resultType: 'core',
      pageSize: count,
    },
  }),
  place,
  response: z.looseObject({ resultList: z.looseObject({ result: z.array(z.unknown()) }) }),
  parse: ({ resultList }, { now }) => ({ rows: rowsIn(resultList.result, dayOf(now)) }),
  readFailure,
});

export const europepmc = defineProvider({
  slug: 'europepmc',
  name: 'Europe PMC',
  baseUrl: 'https://www.ebi.ac.uk/europepmc/webservices/rest',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: '10 requests a second, 500 a minute',
    pace: { everyMs: 334, inFlight: 3, most: { calls: 300, seconds: 60 } },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://europepmc.org/PrivacyNotice',
    checked: '2026-11-27',
    note: 'A public service of EMBL-EBI. Its privacy notice has no clause on training with queries.',
  },
  search,
});
