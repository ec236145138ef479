/**
 * https://info.orcid.org/documentation/api-tutorials/api-tutorial-searching-the-orcid-registry/:
 * expanded search
 */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { ownHosts, unsupported } from '../declaration/filters.ts';
import { defineSearch, never, recordCapabilities, supplied } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { rowReader } from '../parsed/rows.ts';
import { finiteNumber, list, object, objects } from '../values/json.ts';
import { limitedText, limitedTitle, text, texts, titleText } from '../values/text.ts';

const ORCID = /^\d{4}-\d{4}-\d{4}-\d{3}[\dX]$/;

function addressOf(row: JsonObject): string | null {
  const id = text(row['orcid-id']);
  return id === null || !ORCID.test(id) ? null : `https://orcid.org/${id}`;
}

/** Both names may be private. */
function nameOf(row: JsonObject) {
  const names = [titleText(row['given-names']), titleText(row['family-names'])].filter(Boolean);
  return (
    limitedTitle(row['credit-name']) ??
    limitedTitle(names.join(' ')) ??
    limitedTitle(row['orcid-id'])
  );
}

const INSTITUTIONS_SHOWN = 3;

const institutionsOf = (row: JsonObject): readonly string[] => [
  ...new Set(texts(row['institution-name']).flatMap((name) => titleText(name) ?? [])),
];

const institutionsText = (row: JsonObject): string =>
  institutionsOf(row).slice(0, INSTITUTIONS_SHOWN).join(', ');

/** E-mail addresses are left out. */
const rowsIn = rowReader({
  dropped: 'all',
  more: (row) => {
    const institutions = institutionsOf(row);
    const names = [...new Set(texts(row['other-name']))];
    return {
      url: addressOf(row),
      title: nameOf(row),
      summary: limitedText(institutionsText(row)),
      enrichments: {
        ...(text(row['orcid-id']) === null ? {} : { orcid: row['orcid-id'] }),
        ...(names.length > 0 ? { other_names: names } : {}),
        ...(institutions.length > 0 ? { institutions } : {}),
      },
    };
  },
});

function entityOf(row: JsonObject) {
  const name = nameOf(row)?.text;
  if (name === undefined) return [];
  return { name, type: null, description: institutionsText(row) || null, url: addressOf(row) };
}

/** A query that its index cannot read is a 500, whose text names an internal host of ORCID. */
const BAD_QUERY = 9008;

function readFailure({ status, body }: FailedAnswer): FailureReading | undefined {
  if (finiteNumber(object(body)['error-code']) === BAD_QUERY) return { code: 'bad_request' };
  return status === 503 ? { code: 'rate_limited' } : undefined;
}

/** https://lucene.apache.org/core/9_0_0/queryparser/: characters and words with a meaning. */
const withoutSyntax = (query: string): string =>
  query
    .replace(/[+\-!(){}[\]^"~*?:\\/&|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\b(?:AND|OR|NOT)\b/g, (word) => word.toLowerCase());

const search = defineSearch({
  description: 'Researchers by name and institution, with their ORCID iD. For non-commercial use.',
  docsUrl: 'https://info.orcid.org/documentation/api-tutorials/',
  count: { control: 'native', parameter: 'rows', max: 1_000 },
  capabilities: recordCapabilities({
    publish_date: never('has persons, who are not published on a day'),
    entities: supplied,
  }),
  hosts: ['orcid.org'],
  filters: {
    ...ownHosts('orcid.org'),
    published_after: unsupported('dates no persons'),
    published_before: unsupported('dates no persons'),
    country: unsupported('does not search countries'),
    language: unsupported('does not search languages'),
    safe_search: unsupported('has no safe search'),
  },
  queryLimit: { words: 12, characters: 300 },
  timeoutMs: 10_000,
  request: ({ query, count }) => ({
    method: 'GET',
    path: '/v3.0/expanded-search/',
    query: { q: withoutSyntax(query), rows: count },
  }),
  // a list of nothing is null
  response: z.looseObject({
    'num-found': z.number(),
    'expanded-result': z.array(z.unknown()).nullish(),
  }),
  parse: (body) => {
    const rows = list(body['expanded-result']);
    return { rows: rowsIn(rows), entities: objects(rows).flatMap(entityOf) };
  },
  readFailure,
});

export const orcid = defineProvider({
  slug: 'orcid',
  name: 'ORCID',
  baseUrl: 'https://pub.orcid.org',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: '24 requests a second',
    pace: { everyMs: 500, inFlight: 2 },
    onlyIfNamed: 'its public terms are for non-commercial use',
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://info.orcid.org/privacy-policy/',
    checked: '2026-11-27',
    note: 'The public API is for non-commercial use, by the terms for public clients. Nothing was found on training with queries.',
  },
  search,
});
