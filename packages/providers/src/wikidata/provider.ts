/** https://www.wikidata.org/w/api.php?action=help&modules=wbsearchentities */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import { defineProvider } from '../declaration/declare.ts';
import { native, ownHosts, unsupported } from '../declaration/filters.ts';
import {
  readMediawikiFailure,
  WIKIMEDIA_ALLOWANCE,
  WIKIMEDIA_PACE,
  WIKIMEDIA_PACE_WITHOUT,
} from '../declaration/mediawiki.ts';
import { defineSearch, never, recordCapabilities, supplied } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { rowReader } from '../parsed/rows.ts';
import { object, objects } from '../values/json.ts';
import { limitedTitle, plainText, text } from '../values/text.ts';

const ITEM = /^[QPL]\d{1,12}$/;

function addressOf(row: JsonObject): string | null {
  const id = text(row.id);
  if (id === null || !ITEM.test(id)) return null;
  // the page of a property has its kind in front
  const page = id.startsWith('Q') ? id : `${id.startsWith('P') ? 'Property' : 'Lexeme'}:${id}`;
  return `https://www.wikidata.org/wiki/${page}`;
}

const nameOf = (row: JsonObject) =>
  limitedTitle(row.label) ?? limitedTitle(object(row.match).text) ?? limitedTitle(row.id);

const rowsIn = rowReader({
  summary: 'description',
  dropped: ['title', 'label', 'display', 'url', 'pageid', 'repository'],
  more: (row, left) => ({
    url: addressOf(row),
    title: nameOf(row),
    enrichments: { ...left, license: 'CC0 1.0' },
  }),
});

const entityOf = (row: JsonObject) => {
  const name = nameOf(row)?.text;
  if (name === undefined) return [];
  return { name, type: null, description: plainText(row.description), url: addressOf(row) };
};

const search = defineSearch({
  description: 'Things by their names: people, companies, places and works, as numbered entities.',
  docsUrl: 'https://www.wikidata.org/wiki/Wikidata:Data_access',
  count: { control: 'native', parameter: 'limit', max: 50 },
  capabilities: recordCapabilities({
    publish_date: never('has entities, which are not published on a day'),
    entities: supplied,
  }),
  hosts: ['www.wikidata.org'],
  filters: {
    ...ownHosts('www.wikidata.org'),
    published_after: unsupported('dates no entities'),
    published_before: unsupported('dates no entities'),
    country: unsupported('has names by language, not by country'),
    language: native('takes the language of names and descriptions', ({ language }) => ({
      language,
      uselang: language,
    })),
    safe_search: unsupported('has no safe search'),
  },
  // the beginning of a name is compared, so a sentence finds nothing
  queryLimit: { words: 6, characters: 250 },
  timeoutMs: 10_000,
  refusedOverrides: ['action', 'format', 'formatversion'],
  request: ({ query, count }) => ({
    method: 'GET',
    path: '/w/api.php',
    query: {
      action: 'wbsearchentities',
      format: 'json',
      search: query,
      language: 'en',
      uselang: 'en',
      type: 'item',
      limit: count,
    },
  }),
  // an id that nothing has is an error of its own, and means that nothing was found
  response: z
    .looseObject({ search: z.array(z.unknown()).nullish() })
    .refine(({ error, search }) =>
      error === undefined ? Boolean(search) : object(error).code === 'no-such-entity',
    ),
  emptyNamesError: true,
  parse: ({ search }) => ({
    rows: rowsIn(search),
    entities: objects(search).flatMap(entityOf),
  }),
  readFailure: readMediawikiFailure,
});

export const wikidata = defineProvider({
  slug: 'wikidata',
  name: 'Wikidata',
  baseUrl: 'https://www.wikidata.org',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: WIKIMEDIA_ALLOWANCE,
    pace: WIKIMEDIA_PACE,
    contact: { kind: 'faster', paceWithout: WIKIMEDIA_PACE_WITHOUT },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://foundation.wikimedia.org/wiki/Policy:Privacy_policy',
    checked: '2026-11-27',
    note: 'A public service of a foundation. Its privacy policy has no clause on training with queries, neither for nor against.',
  },
  search,
});
