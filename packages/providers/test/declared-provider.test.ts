import { describe, expect, test } from 'vitest';
import { readDeclared, type SearchProvider } from '../src/index.ts';
import { refusedKeys } from '../src/request/overrides.ts';

const VARIABLES: Readonly<Record<string, string>> = {
  ACME_ID: 'planted-id-5fJ2xx',
  ACME_TOKEN: 'planted-token-8Hq1',
};

function declared(entry: object): SearchProvider {
  const read = readDeclared(
    {
      providers: [
        {
          slug: 'acme',
          url: 'https://acme.example/search?format=json',
          results: 'items',
          fields: { url: 'link', title: 'name' },
          ...entry,
        },
      ],
    },
    {
      variable: (name) => VARIABLES[name] ?? '',
      addressFault: () => undefined,
      variableFault: () => undefined,
    },
  );
  const [provider] = 'providers' in read ? read.providers : [];
  if (provider === undefined) throw new Error(JSON.stringify(read));
  return provider;
}

const QUERY = { q: '{query}', size: '{num_results}' };
const SECRETS = {
  query: { ...QUERY, app_id: `\${ACME_ID}` },
  headers: { 'X-Acme-Token': `Bearer \${ACME_TOKEN}`, 'x-team': 'search' },
};

describe('the secrets of a declared provider', () => {
  test('are parts of the call with their values, and not in what is planned', () => {
    const { secretParts, request } = declared(SECRETS);
    expect(secretParts).toEqual([
      {
        in: 'header',
        name: 'X-Acme-Token',
        written: `Bearer \${ACME_TOKEN}`,
        value: `Bearer ${VARIABLES.ACME_TOKEN}`,
        variables: ['ACME_TOKEN'],
        secrets: [VARIABLES.ACME_TOKEN],
      },
      {
        in: 'query',
        name: 'app_id',
        written: `\${ACME_ID}`,
        value: VARIABLES.ACME_ID,
        variables: ['ACME_ID'],
        secrets: [VARIABLES.ACME_ID],
      },
    ]);
    expect(request({ query: 'tides', count: 3 } as never)).toEqual({
      method: 'GET',
      path: '/search?format=json',
      headers: { 'x-team': 'search' },
      query: { q: 'tides', size: 3 },
    });
  });

  test.each(['app_id', 'APP_ID', 'appId', 'app-id', 'x-acme-token', 'X_Acme_Token', 'xAcmeToken'])(
    'are not set by an override, as by %s',
    (name) => {
      const { refusedOverrides } = declared(SECRETS);
      expect(refusedKeys({ [name]: 'mine', size: 3, team: 'x' }, refusedOverrides)).toEqual([name]);
    },
  );
});

describe('the answer of a declared provider', () => {
  const fields = {
    url: 'link.href',
    title: 'name',
    summary: 'texts.1',
    publish_date: 'day',
    thumbnail: 'image',
    author: 'by',
  };
  const read = (items: unknown, wanted: readonly string[] = ['url', 'title', 'publish_date']) => {
    const { parse } = declared({ results: 'data.items', fields, query: QUERY });
    return parse({ data: { items } } as never, { wanted: { fields: new Set(wanted) } } as never);
  };

  test('has the value at each path, and keeps what was not read whole', () => {
    const { rows, remarks } = read([
      {
        link: { href: 'https://a.example/1', rel: 'x' },
        name: 'One',
        texts: ['zero', 'one', 'two'],
        day: 1_767_225_600,
        image: '/pic.png',
        by: 'Ada',
        more: 7,
      },
    ]);
    expect(rows).toMatchObject([
      {
        ...{ url: 'https://a.example/1', title: 'One', summary: 'one', author: 'Ada' },
        ...{ publish_date: '2026-01-01T00:00:00.000Z', thumbnail: 'https://a.example/pic.png' },
        enrichments: {
          link: { href: 'https://a.example/1', rel: 'x' },
          texts: ['zero', 'one', 'two'],
          more: 7,
        },
      },
    ]);
    expect(rows[0]?.enrichments).not.toHaveProperty('name');
    expect(remarks).toEqual([]);
  });

  test('says how many rows of how many had a value of another kind, or none at all', () => {
    const row = (more: object) => ({ link: { href: 'https://a.example/' }, name: 'x', ...more });
    const { remarks } = read([
      row({ day: 'soon' }),
      row({ name: 5, day: 'later' }),
      row({ day: null }),
    ]);
    expect(remarks.map(({ code, message }) => [code, message])).toEqual([
      ['upstream_warning', 'title: acme sent a value at name that is not a text in 1 of 3 rows'],
      [
        'upstream_warning',
        'publish_date: acme sent a value at day that is not a date in 2 of 3 rows',
      ],
    ]);
    expect(read([row({}), row({ day: '' })]).remarks).toEqual([
      {
        code: 'capability_gap',
        message: 'publish_date: acme has nothing at day in any of its 2 rows',
      },
    ]);
    expect(read([row({}), row({ day: '2026-01-01' })]).remarks).toEqual([]);
    // what is not an object is not a row
    const odd = read([row({ name: 5, day: '2026-01-01' }), 'text', null, 7]);
    expect(odd.remarks[0]?.message).toMatch(/ in 1 of 1 rows$/);
    expect(read([row({})], ['url', 'title']).remarks).toEqual([]);
    expect(read([]).remarks).toEqual([]);
  });

  test('without a list is a failure that names the place, and an empty one may be null', () => {
    const { response, readFailure } = declared({ results: 'data.items', query: QUERY });
    const isAnswer = (body: unknown) => response.safeParse(body).success;
    expect([{ data: { items: [] } }, { data: { items: null } }].map(isAnswer)).toEqual([
      true,
      true,
    ]);
    expect([{ data: {} }, { items: [] }, null].map(isAnswer)).toEqual([false, false, false]);
    const failure = (status: number, body: unknown, provider = readFailure) =>
      provider?.({ status, body, headers: {} } as never);
    expect(failure(200, { items: [] })).toMatchObject({
      code: 'bad_response',
      happened: 'sent no answer with a list at data.items',
    });
    expect([failure(401, {}), failure(500, {})]).toEqual([undefined, undefined]);
    const secret = declared(SECRETS).readFailure;
    expect([
      failure(401, {}, secret),
      failure(402, {}, secret),
      failure(403, {}, secret),
    ]).toMatchObject([
      { code: 'invalid_credential', remedy: expect.stringContaining('ACME_TOKEN, ACME_ID') },
      { code: 'quota_exhausted' },
      undefined,
    ]);
  });
});

describe('the request of a declared provider', () => {
  test('has the query as it is and the count as a number, also deep in a body', () => {
    const body = {
      search: { text: 'for {query}: {num_results}', list: ['{query}', 5] },
      top: '{num_results}',
    };
    const { request, count } = declared({ body, count: { max: 7 } });
    expect(request({ query: '{num_results} "x"', count: 4 } as never)).toEqual({
      method: 'POST',
      path: '/search?format=json',
      body: {
        search: { text: 'for {num_results} "x": 4', list: ['{num_results} "x"', 5] },
        top: 4,
      },
    });
    expect(count).toEqual({ control: 'native', parameter: 'search.text', max: 7 });
    expect(declared({ query: { q: '{query}' } }).count).toMatchObject({ control: 'trim', max: 20 });
    expect(declared({ query: QUERY, count: { max: 5 } }).count).toEqual({
      ...{ control: 'native', parameter: 'size', max: 5 },
    });
  });

  test('has filters in its parameters, by name in a query and by path in a body', () => {
    const filters = { language: 'opts.lang', include_domains: 'sites' };
    const parametersOf = (entry: object, name: 'language' | 'include_domains') => {
      const rule = declared({ ...entry, filters }).filters[name];
      return rule.kind === 'native'
        ? rule.parameters({ [name]: 'v' } as never, {} as never)
        : rule.kind;
    };
    expect(parametersOf({ query: QUERY }, 'language')).toEqual({ 'opts.lang': 'v' });
    expect(parametersOf({ body: { q: '{query}' } }, 'language')).toEqual({ opts: { lang: 'v' } });
    const kinds = (entry: object) =>
      Object.fromEntries(
        Object.entries(declared({ query: QUERY, ...entry }).filters).map(([name, rule]) => [
          name,
          rule.kind,
        ]),
      );
    expect(kinds({ filters })).toMatchObject({
      language: 'native',
      include_domains: 'native',
      exclude_domains: 'checked',
      published_after: 'unsupported',
      country: 'unsupported',
    });
    const dated = { fields: { url: 'link', publish_date: 'day' } };
    expect(kinds(dated)).toMatchObject({ published_before: 'checked' });
  });

  test('has the price that the operator states, or none', () => {
    expect(declared({ query: QUERY }).price({} as never, {}, null)).toEqual({
      usd: 0,
      kind: 'known',
    });
    expect(declared({ query: QUERY }).price({} as never, { search: 0.002 }, null)).toEqual({
      usd: 0.002,
      kind: 'known',
    });
  });
});
