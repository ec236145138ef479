import { FetchProviderRoster } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import {
  DEFAULT_CHAIN,
  fetchPages,
  fieldsOf,
  PROVIDERS,
  pageAt,
  type Row,
} from './support/fetch-tables.ts';
import { useServer } from './support/search-runs.ts';

const server = useServer();
const bare = useServer({
  env: { EXA_API_KEY: undefined, JINA_API_KEY: undefined, FETCH_CHAIN: 'jina,exa' },
});

const read = async (at = server(), headers = {}): Promise<Row[]> => {
  const answer = await at.call('GET', '/v1/fetch-providers', { key: null, headers });
  expect(answer.status, answer.text).toBe(200);
  return FetchProviderRoster.strict().parse(answer.json).fetch_providers;
};
const by = (entries: readonly Row[], name: string): Row =>
  entries.find((entry) => entry.name === name);

describe('4.9 GET /v1/fetch-providers', () => {
  test('4.9 answers without a key and ignores a wrong one', async () => {
    const entries = await read();
    expect(entries.map(({ name }) => name).sort()).toEqual([...PROVIDERS].sort());
    expect(await read(server(), { authorization: 'Bearer tk_wrong' })).toEqual(entries);
  });

  test('4.9 every entry has exactly the members of the roster', async () => {
    for (const entry of await read()) {
      expect(Object.keys(entry)).toEqual([
        ...['name', 'in_default_chain', 'chain_position', 'requires_key', 'configured', 'pin_only'],
        ...['content_formats', 'unsupported_fields', 'description', 'docs_url'],
        'data_use',
      ]);
      expect(entry.description).not.toBe('');
      // the service's own reader is described in the service's own documents
      expect(new URL(entry.docs_url, 'https://self.example.com').protocol).toBe('https:');
      expect(JSON.stringify(entry)).not.toContain('5fJ2');
    }
  });

  test('4.9 flag and position show the default chain; brightdata can only be pinned', async () => {
    const entries = await read();
    const chain = entries.filter(({ in_default_chain }) => in_default_chain);
    chain.sort((one, other) => one.chain_position - other.chain_position);
    expect(chain.map(({ name }) => name)).toEqual(DEFAULT_CHAIN);
    expect(new Set(chain.map(({ chain_position }) => chain_position)).size).toBe(9);
    expect(entries.filter(({ pin_only }) => pin_only).map(({ name }) => name)).toEqual([
      'brightdata',
    ]);
    expect(by(entries, 'brightdata')).toMatchObject({
      in_default_chain: false,
      chain_position: null,
    });
  });

  test('4.9 the roster shows FETCH_CHAIN', async () => {
    const entries = await read(bare());
    const chain = entries.filter(({ in_default_chain }) => in_default_chain);
    chain.sort((one, other) => one.chain_position - other.chain_position);
    expect(chain.map(({ name }) => name)).toEqual(['jina', 'exa']);
    expect(by(entries, 'tavily')).toMatchObject({
      in_default_chain: false,
      chain_position: null,
      pin_only: false,
    });
  });

  test('4.9 all except jina and direct need a key', async () => {
    const free = (await read()).filter(({ requires_key }) => !requires_key);
    expect(free.map(({ name }) => name).sort()).toEqual(['direct', 'jina']);
  });

  test('4.9 configured means that all needed settings are there', async () => {
    expect((await read()).every(({ configured }) => configured)).toBe(true);
    const entries = await read(bare());
    const missing = entries.filter(({ configured }) => !configured).map(({ name }) => name);
    expect(missing).toEqual(['exa']);
  });

  test('4.9 content_formats as in rule 7 of 2.9', async () => {
    const formats = Object.fromEntries(
      (await read()).map(({ name, content_formats }) => [name, [...content_formats].sort()]),
    );
    const markdown = ['markdown'];
    expect(formats).toEqual({
      tinyfish: markdown,
      firecrawl: markdown,
      parallel: markdown,
      tavily: markdown,
      exa: ['text'],
      linkup: markdown,
      you: markdown,
      jina: ['markdown', 'text'],
      direct: ['markdown', 'text'],
      brightdata: markdown,
      deepseek: markdown,
    });
  });

  test('4.9 unsupported_fields are fields of the table that providers supply', async () => {
    const own = ['content', 'provider', 'provider_chain', 'content_length', 'content_sha256'];
    for (const { name, unsupported_fields } of await read()) {
      expect(new Set(unsupported_fields).size).toBe(unsupported_fields.length);
      for (const field of unsupported_fields) {
        expect(fieldsOf('max'), name).toContain(field);
        expect([
          ...own,
          'latency_ms',
          'warning',
          'warnings',
          'content_format',
          'url',
        ]).not.toContain(field);
      }
    }
  });

  test('2.9 rule 3, 4.9: title is only missing at linkup', async () => {
    const without = (await read()).filter(({ unsupported_fields }) =>
      unsupported_fields.includes('title'),
    );
    expect(without.map(({ name }) => name)).toEqual(['linkup']);
  });

  test.each(PROVIDERS.filter((name) => name !== 'direct'))(
    '4.9 unsupported_fields of %s are never filled, and are its gaps at max',
    async (name) => {
      const { unsupported_fields } = by(await read(), name);
      const url =
        name === 'brightdata' ? 'https://www.linkedin.com/company/tide-works' : pageAt('pdf');
      const urls = name === 'brightdata' ? [url] : [url, pageAt(), pageAt('missing')];
      const options = { tier: 'max', providers: [name] } as const;
      const { rows } = await fetchPages(server(), urls, options);
      for (const row of rows) {
        const said = row.warnings.map(({ message }: Row) => message).join();
        for (const field of unsupported_fields) {
          const isEmpty = row[field] === null || Object.keys(row[field]).length === 0;
          expect(isEmpty, `${field} of ${row.url}`).toBe(true);
          if (row.status === 'succeeded') expect(said).toMatch(new RegExp(`\\b${field}\\b`));
        }
      }
    },
  );

  test.each([
    [
      'firecrawl',
      [
        'http_status',
        'cache_state',
        'request_id',
        'usage',
        'page_count',
        'content_type',
        'pdf_mode',
        'js_rendered',
        'html',
        'links',
        'images',
        'summary',
        'screenshot',
        'structured',
      ],
    ],
    ['linkup', ['js_rendered', 'canonical_url', 'raw_html', 'content_type']],
    ['exa', ['links', 'images', 'summary', 'cache_state']],
    ['parallel', ['publish_date', 'request_id', 'usage']],
    ['tavily', ['favicon', 'images']],
    ['tinyfish', ['description', 'language', 'author', 'publish_date', 'links', 'images']],
    ['you', ['raw_html', 'metadata']],
    ['brightdata', ['structured', 'metadata', 'description']],
    ['jina', ['title']],
  ])('2.9, 4.9: %s supplies the fields in its notes', async (name, supplied) => {
    const { unsupported_fields } = by(await read(), name);
    for (const field of supplied) expect(unsupported_fields).not.toContain(field);
  });
});
