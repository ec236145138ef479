import { byForm } from '@trawl/test-support/form';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutHints } from '../support/without-hints.ts';
import { pageAt } from './support/fetch-tables.ts';
import {
  type Draft,
  type Fault,
  FETCH_FAULTS,
  type FetchBody,
  isBefore,
  NAME_FAULTS,
  SEARCH_FAULTS,
  type SearchBody,
} from './support/order-faults.ts';
import { type SpecServer, startSpecServer } from './support/server.ts';

let server: SpecServer;
/** Keys without permission, with a limit that is used up, and with both. */
const keys = { bare: '', limited: '', both: '' };
let foreignSession: string;

async function makeLimited(permissions?: Parameters<SpecServer['makeKey']>[1]): Promise<string> {
  const { key, id } = await server.makeKey('main', permissions);
  await server.server.store.keys.changeKey(id, { rateLimit: 1 });
  return key;
}

beforeAll(async () => {
  server = await startSpecServer({ env: { MAX_FETCH_URLS: '4' } });
  keys.bare = (await server.makeKey('main', ['read'])).key;
  keys.limited = await makeLimited();
  keys.both = await makeLimited(['read']);
  const theirs = await server.makeKey('theirs');
  const answer = await server.search({ user_input: { query: 'q' } }, { key: theirs.key });
  foreignSession = answer.json.session_id;
});
afterAll(() => server.stop());

/** The key of a request; undefined: a good one. */
async function keyOf({ key }: Draft<unknown>): Promise<string | null | undefined> {
  if (key.has('missing')) return null;
  if (key.has('unknown')) return 'tk_unknown';
  if (!key.has('used up')) return key.has('bare') ? keys.bare : undefined;
  const limited = key.has('bare') ? keys.both : keys.limited;
  await server.call('GET', '/v1/sessions', { key: limited });
  return limited;
}

/** What differs between the families of routes. */
interface Family<Body> {
  readonly empty: () => Body;
  readonly sent: (body: Body) => object;
  /** What an answer says, and what the one for a fault should say. */
  readonly said: (json: Record<string, unknown>) => unknown;
  readonly wanted: (fault: Fault<Body>) => unknown;
}

async function expectReported<Body>(
  path: string,
  family: Family<Body>,
  faults: readonly Fault<Body>[],
  reported = faults[0],
) {
  const draft: Draft<Body> = {
    ...{ path, method: 'POST', key: new Set(), headers: {}, tail: '', bytes: 0 },
    body: family.empty(),
    foreignSession,
  };
  for (const { make } of faults) make(draft);
  const key = await keyOf(draft);
  const text = JSON.stringify(family.sent(draft.body)) + draft.tail;
  const answer = await server.refused(draft.method, draft.path, {
    rawBody: text + ' '.repeat(Math.max(0, draft.bytes - text.length)),
    headers: draft.headers,
    ...(key === undefined ? {} : { key }),
  });
  expect([answer.status, family.said(answer.json)], answer.text).toEqual([
    reported?.status,
    reported && family.wanted(reported),
  ]);
}

const FETCH: Family<FetchBody> = {
  empty: () => ({ urls: ['https://news.example.com/tides'], options: {} }),
  sent: (body) => body,
  said: ({ error }) => ({ code: Object(error).code, param: Object(error).param }),
  wanted: ({ name, code, param }) => ({
    code,
    // its place depends on the names before it
    param: name === 'unknown_provider' ? expect.any(String) : param,
  }),
};

const SEARCH: Family<SearchBody> = {
  empty: () => ({
    ...{ sessionId: undefined, queries: 1, include: undefined, exclude: [] },
    ...{ names: [], postprocessors: [], overrides: {}, search: {} },
  }),
  sent: ({ sessionId, queries, include, exclude, names, postprocessors, overrides, search }) => ({
    session_id: sessionId,
    user_input: Array(queries).fill({ query: 'q' }),
    preprocessor_names: names,
    postprocessor_names: postprocessors,
    search: { ...search, providers: { include, exclude }, provider_overrides: overrides },
  }),
  said(json) {
    const { detail, ...rest } = withoutHints(json);
    expect(rest).toEqual({});
    return typeof detail === 'string' ? detail : JSON.stringify(detail);
  },
  wanted: ({ detail }) => expect.stringMatching(detail ?? /^$/),
};

function testOrder<Body>(
  title: string,
  path: string,
  family: Family<Body>,
  faults: readonly Fault<Body>[],
) {
  const all = faults.flatMap((earlier, index) =>
    faults
      .slice(index + 1)
      .filter((later) => isBefore(earlier.name, later.name))
      .map((later) => [earlier.name, later.name, [earlier, later]] as const),
  );
  // in the small form a fifth: each fault is also sent with all later ones at once
  const pairs = all.filter((_pair, at) => at % byForm({ small: 5, full: 1 }) === 0);
  const ends = faults.map(
    (first, index) =>
      [first.name, faults.slice(index).filter(({ name }) => isBefore(first.name, name))] as const,
  );

  describe(`${title} of checks on ${path}`, () => {
    test.each(faults)(`${title}: $name alone is a $status`, (only) =>
      expectReported(path, family, [only]),
    );

    test.each(pairs)(`${title}: %s before %s`, (_first, _second, both) =>
      expectReported(path, family, both),
    );

    test.each(ends)(`${title}: %s before all later ones at once`, (_first, rest) =>
      expectReported(path, family, rest),
    );
  });
}

testOrder('7.1 order', '/v1/fetch', FETCH, FETCH_FAULTS);
testOrder('7.2 order', '/v1/search', SEARCH, SEARCH_FAULTS);
testOrder('7.2 order', '/v1/interactions', SEARCH, SEARCH_FAULTS);

describe('7.1 order of types', () => {
  const more = ['a', 'b', 'c', 'd'].map((path) => `${pageAt()}/${path}`);
  test.each<[string, object, string]>([
    ['type of a session', { session_id: 'x' }, 'invalid_session'],
    ['type of an option', { options: { tier: 5 } }, 'invalid_request'],
    ['type of a URL', { urls: [5, ...more] }, 'invalid_url'],
  ])('7.1 order: %s before over_url_cap', async (_title, odd, code) => {
    const body = { urls: [pageAt(), ...more], ...odd };
    const answer = await server.refused('POST', '/v1/fetch', { body });
    expect([answer.status, answer.json.error.code]).toEqual([422, code]);
  });
});

describe('7.2 order of faults of the form', () => {
  const form = SEARCH_FAULTS.filter(({ name }) =>
    ['type', 'batch length', 'override size'].includes(name),
  );
  test.each(['/v1/search', '/v1/interactions'])(
    '7.2 order: all are in one answer on %s',
    async (path) => {
      for (const reported of form) await expectReported(path, SEARCH, form, reported);
    },
  );
});

describe('7.2 order of names, which only /v1/interactions has', () => {
  const named = (title: string) =>
    title.split(' before ').flatMap((name) => {
      const found = [...SEARCH_FAULTS, ...NAME_FAULTS].find((fault) => fault.name === name);
      return found ?? expect.unreachable(`no fault ${name}`);
    });

  test.each([
    'type before unknown name',
    'type before postprocessor',
    'unknown name before include and exclude',
    'postprocessor before include and exclude',
    'unknown name before names and exclude',
    'include and exclude before names and include',
    'names and exclude before tier and fields',
    'names and exclude before empty set',
    'names and include before empty set',
    'names and include before override outside',
    'names and include before volume',
    'postprocessor before session of another project',
  ])('7.2 order: %s', (title) => expectReported('/v1/interactions', SEARCH, named(title)));
});
