/** https://www.mediawiki.org/wiki/API:Search, with the extensions TextExtracts and PageImages */
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { HttpCall } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { native, ownHosts, unsupported } from '../declaration/filters.ts';
import {
  readMediawikiFailure,
  WIKIMEDIA_ALLOWANCE,
  WIKIMEDIA_PACE,
  WIKIMEDIA_PACE_WITHOUT,
} from '../declaration/mediawiki.ts';
import {
  defineSearch,
  never,
  recordCapabilities,
  type SearchPlan,
  supplied,
} from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { rowReader } from '../parsed/rows.ts';
import { wholeUrl } from '../parsed/table.ts';
import { finiteNumber, object, objects } from '../values/json.ts';
import { limitedText, limitedTitle, openingOf, plainText, text } from '../values/text.ts';

/** The languages of ISO 639-1 that have an edition. */
const EDITIONS = new Set(
  'ab af am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi hr ht hu hy ia id ie ig ik io is it iu ja jv ka kg ki kk kl km kn ko ks ku kv kw ky la lb lg li ln lo lt lv mg mi mk ml mn mr ms mt my na ne nl nn no nv ny oc om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'.split(
    ' ',
  ),
);

const editionOf = (language = ''): string | null => {
  const edition = language === 'nb' ? 'no' : language;
  return EDITIONS.has(edition) ? edition : null;
};

/** Older answers have an object by page id. Pages come in any order, with their rank as `index`. */
function pagesOf(query: JsonObject): readonly JsonObject[] {
  const pages = isJsonObject(query.pages) ? Object.values(query.pages) : query.pages;
  const rankOf = (page: JsonObject) => finiteNumber(page.index) ?? Number.MAX_SAFE_INTEGER;
  return objects(pages).toSorted((a, b) => rankOf(a) - rankOf(b));
}

const withScheme = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith('//') ? `https:${value}` : value;

const rowsIn = rowReader({
  url: ['canonicalurl', 'fullurl'],
  title: 'title',
  thumbnail: { at: 'thumbnail.source', read: (value) => wholeUrl(withScheme(value)) },
  dropped: [
    ...['index', 'ns', 'extract', 'thumbnail', 'editurl', 'pageprops', 'touched', 'contentmodel'],
    ...['pagelanguagehtmlcode', 'pagelanguagedir'],
  ],
  more: (page, left) => {
    const lead = limitedText(page.extract);
    return {
      summary: openingOf(lead) ?? limitedText(page.description),
      excerpt: lead,
      enrichments: { ...left, license: 'CC BY-SA 4.0' },
    };
  },
});

function entityOf(page: JsonObject) {
  const id = text(object(page.pageprops).wikibase_item);
  const name = limitedTitle(page.title)?.text ?? null;
  if (id === null || name === null || !/^Q\d{1,12}$/.test(id)) return [];
  const description = plainText(page.description);
  return { name, type: null, description, url: `https://www.wikidata.org/wiki/${id}` };
}

const EXTRACTS_MAX = 20;

function request({ query, count, wanted: { fields } }: SearchPlan): HttpCall {
  const reads = fields.has('summary') || fields.has('excerpt');
  const shows = fields.has('thumbnail');
  const props = [
    'info',
    ...(reads ? ['extracts', 'description'] : []),
    ...(shows ? ['pageimages'] : []),
    ...(fields.has('entities') ? ['pageprops', ...(reads ? [] : ['description'])] : []),
  ];
  return {
    method: 'GET',
    subdomain: 'en',
    path: '/w/api.php',
    query: {
      action: 'query',
      format: 'json',
      formatversion: 2,
      generator: 'search',
      gsrsearch: query,
      gsrlimit: count,
      gsrnamespace: 0,
      prop: props.join('|'),
      inprop: 'url',
      ...(reads ? { exintro: 1, explaintext: 1, exlimit: EXTRACTS_MAX } : {}),
      ...(shows ? { piprop: 'thumbnail', pithumbsize: 320, pilimit: EXTRACTS_MAX } : {}),
      ...(fields.has('entities') ? { ppprop: 'wikibase_item' } : {}),
    },
  };
}

/** The edition is in the host. */
function place({ query: { edition, ...query } = {}, ...call }: HttpCall): HttpCall {
  return { ...call, query, ...(typeof edition === 'string' ? { subdomain: edition } : {}) };
}

/** Without a hit there is no `query` at all. */
const isAnswer = ({ error, query, batchcomplete }: JsonObject): boolean => {
  if (error !== undefined) return false;
  if (query === undefined) return batchcomplete !== undefined;
  const { pages } = object(query);
  return Array.isArray(pages) || isJsonObject(pages);
};

const search = defineSearch({
  description: 'Articles of the free encyclopedia, in the language that is asked for.',
  docsUrl: 'https://www.mediawiki.org/wiki/API:Search',
  count: { control: 'native', parameter: 'gsrlimit', max: EXTRACTS_MAX },
  capabilities: recordCapabilities({
    excerpt: supplied,
    full_content: never('returns the beginning of each article, and whole ones one at a time'),
    publish_date: never('dates the last edit of an article, which is not a publication'),
    thumbnail: supplied,
    entities: supplied,
  }),
  hosts: ['wikipedia.org'],
  filters: {
    ...ownHosts('wikipedia.org'),
    published_after: unsupported('dates no articles'),
    published_before: unsupported('dates no articles'),
    country: unsupported('has editions by language, not by country'),
    language: native(
      'has an edition for most languages, which is asked instead of the English one',
      ({ language }) => {
        const edition = editionOf(language);
        return edition === null ? null : { edition };
      },
      unsupported('has no edition in this language, so the English one is asked'),
    ),
    safe_search: unsupported('has no safe search'),
  },
  queryLimit: { characters: 300 },
  timeoutMs: 10_000,
  refusedOverrides: ['action', 'format', 'formatversion', 'generator', 'edition'],
  request,
  place,
  response: z.looseObject({}).refine(isAnswer),
  parse: (body) => {
    const pages = pagesOf(object(body.query));
    return { rows: rowsIn(pages), entities: pages.flatMap(entityOf) };
  },
  readFailure: readMediawikiFailure,
});

export const wikipedia = defineProvider({
  slug: 'wikipedia',
  name: 'Wikipedia',
  baseUrl: 'https://wikipedia.org',
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
