/** https://documenter.getpostman.com/view/7679680/SVYrrxuU: the LEI API, version 1 */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import { defineProvider } from '../declaration/declare.ts';
import { native, ownHosts, unsupported } from '../declaration/filters.ts';
import { defineSearch, never, recordCapabilities, supplied } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { rowReader } from '../parsed/rows.ts';
import { object, objects } from '../values/json.ts';
import { limitedText, limitedTitle, text, titleText } from '../values/text.ts';

/** An identifier: twenty characters, the last two of which check the others. */
const LEI = /^[A-Z0-9]{18}\d{2}$/;

function addressOf({ attributes }: JsonObject): string | null {
  const lei = text(object(attributes).lei);
  return lei === null || !LEI.test(lei) ? null : `https://search.gleif.org/#/record/${lei}`;
}

const entityIn = ({ attributes }: JsonObject): JsonObject => object(object(attributes).entity);
const nameOf = (record: JsonObject) => limitedTitle(object(entityIn(record).legalName).name);

/** What a register says in words: kind, state, place. */
function factsOf(record: JsonObject): string {
  const entity = entityIn(record);
  const { city, country } = object(entity.legalAddress);
  const { status } = object(object(record.attributes).registration);
  const place = [titleText(city), titleText(country)].filter(Boolean).join(', ');
  const registration = titleText(status);
  return [
    titleText(entity.category),
    titleText(entity.status),
    place,
    registration && `registration ${registration}`,
  ]
    .filter(Boolean)
    .join('. ');
}

const rowsIn = rowReader({
  within: 'attributes',
  dropped: ['lei'],
  more: (record, left) => {
    const { lei } = object(record.attributes);
    const names = objects(entityIn(record).otherNames).flatMap(({ name }) => titleText(name) ?? []);
    return {
      url: addressOf(record),
      title: nameOf(record),
      summary: limitedText(factsOf(record)),
      enrichments: {
        ...left,
        ...(text(lei) === null ? {} : { lei }),
        other_names: names,
        license: 'CC0 1.0',
      },
    };
  },
});

function entityOf(record: JsonObject) {
  const name = nameOf(record)?.text;
  if (name === undefined) return [];
  const type = titleText(entityIn(record).category);
  return { name, type, description: factsOf(record) || null, url: addressOf(record) };
}

const wordsOf = (name: string): readonly string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/**
 * The search compares all fields, addresses included, so a stranger may be first. Those with the
 * most words of the name come first, then the active ones, else in the order received.
 */
function ranked(query: string, records: readonly unknown[]): readonly unknown[] {
  const asked = wordsOf(query);
  const rankOf = (record: unknown): number => {
    const own = wordsOf(nameOf(object(record))?.text ?? '');
    const found = asked.filter((word) => own.includes(word)).length;
    const isActive = entityIn(object(record)).status === 'ACTIVE';
    return 2 * found + Number(isActive);
  };
  return records
    .map((record) => ({ record, rank: rankOf(record) }))
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ record }) => record);
}

const search = defineSearch({
  description: 'Companies and funds of the world with a legal entity identifier (LEI), by name.',
  docsUrl: 'https://www.gleif.org/en/lei-data/gleif-api',
  count: { control: 'native', parameter: 'page[size]', max: 200 },
  capabilities: recordCapabilities({
    publish_date: never('has records of a register, which are not published on a day'),
    entities: supplied,
  }),
  hosts: ['search.gleif.org'],
  filters: {
    ...ownHosts('search.gleif.org'),
    published_after: unsupported('dates no records'),
    published_before: unsupported('dates no records'),
    country: native('takes the country of the legal address', ({ country }) => ({
      'filter[entity.legalAddress.country]': country,
    })),
    language: unsupported('has each name in the language of its country'),
    safe_search: unsupported('has no safe search'),
  },
  queryLimit: { words: 8, characters: 300 },
  timeoutMs: 15_000,
  request: ({ query, count }) => ({
    method: 'GET',
    path: '/api/v1/lei-records',
    headers: { accept: 'application/vnd.api+json' },
    query: { 'filter[fulltext]': query, 'page[size]': count },
  }),
  response: z
    .looseObject({ data: z.array(z.unknown()) })
    .refine((body) => body.errors === undefined),
  parse: ({ data }, { query, wanted }) => {
    const records = ranked(text(wanted.overrides['filter[fulltext]']) ?? query, data);
    return { rows: rowsIn(records), entities: objects(records).flatMap(entityOf) };
  },
});

export const gleif = defineProvider({
  slug: 'gleif',
  name: 'GLEIF',
  baseUrl: 'https://api.gleif.org',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: '60 requests a minute',
    pace: { everyMs: 1_000, inFlight: 1 },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    ...UNKNOWN_USE,
    checked: '2026-11-27',
    note: 'Nothing was found on what becomes of queries. A public register of a foundation.',
  },
  search,
});
