import { describe, expect, test } from 'vitest';
import {
  booked,
  fetchPage,
  PAGE,
  pageOf,
  type StubCall,
  useStubFor,
} from './support/fetched-pages.ts';
import { callsTo, useServer } from './support/search-runs.ts';

describe('tinyfish that refuses per_url_timeout_ms', () => {
  const stub = useStubFor('tinyfish');
  const asks = ({ body }: StubCall) => 'per_url_timeout_ms' in JSON.parse(body);

  test('2.9 tinyfish: the call is sent once more without it, and later calls leave it out', async () => {
    const text = 'The kiln dries wood in the sun. '.repeat(40);
    stub().respond((call) =>
      asks(call)
        ? {
            status: 400,
            body: {
              error: {
                code: 'INVALID_INPUT',
                message: 'Request body is invalid',
                details: [{ path: ['per_url_timeout_ms'], code: 'unrecognized_keys' }],
              },
            },
          }
        : { body: { results: [{ url: PAGE, title: 'Kilns', text }], errors: [] } },
    );
    const first = await pageOf(stub(), 'tinyfish');
    expect(await booked(stub(), first)).toMatchObject([{ provider: 'tinyfish', calls: 2 }]);
    await pageOf(stub(), 'tinyfish');
    expect(stub().received.map(asks)).toEqual([true, false, false]);
  });
});

describe('brightdata that refuses custom_output_fields', () => {
  const stub = useStubFor('brightdata');
  const url = 'https://www.linkedin.com/company/harbour-lights';
  const asks = ({ path }: StubCall) => path.includes('custom_output_fields');

  test('2.9 brightdata: the record is returned without it, and still without the people it names', async () => {
    const record = {
      timestamp: '2026-03-05T10:00:00.000Z',
      input: { url },
      url,
      id: 'harbour-lights',
      name: 'Harbour Lights',
      about: 'We light harbours, and have done so for many years along the whole coast.',
      company_id: '1',
      employees: [{ title: 'A. Person' }],
    };
    stub().respond((call) =>
      asks(call)
        ? { status: 400, body: { error: 'Unknown query parameter "custom_output_fields"' } }
        : { body: [record] },
    );
    const { row, text } = await pageOf(stub(), 'brightdata', url, { tier: 'max' });
    expect(row.title).toBe('Harbour Lights');
    expect(text).not.toContain('A. Person');
    expect(stub().received.map(asks)).toEqual([true, false]);
  });

  test('2.9 brightdata: other refusals are not repeated', async () => {
    stub().respond(() => ({ status: 400, body: { error: 'Invalid input' } }));
    const options = { providers: ['brightdata'] };
    const { status } = await stub().fetch({ urls: [url], options });
    expect([status, stub().received.length]).toEqual([502, 1]);
  });
});

describe('jina with a key that has no tokens left', () => {
  // the sandbox answers a key of this form with a 402, as the vendor does
  const server = useServer({ env: { JINA_API_KEY: 'quota-used-up-key', BREAKER: 'on' } });

  test('2.9 jina: the page is read without the key, and so are later ones', async () => {
    const first = await pageOf(server(), 'jina');
    // the call that answered had no key, so it is free
    expect(await booked(server(), first)).toMatchObject([
      { provider: 'jina', calls: 2, costMicros: 0 },
    ]);
    await pageOf(server(), 'jina', 'https://www.example.com/guides/tide-mills');
    const keys = callsTo(server(), 'jina').map(({ headers }) => headers.authorization);
    expect(keys).toEqual(['Bearer quota-used-up-key', undefined, undefined]);
    expect(server().logged()).not.toContain('provider cools down');
  });

  test('2.9 jina: the other providers of a chain are not asked in its place', async () => {
    const { row } = await fetchPage(server(), 'https://www.example.com/guides/rope-walks', {
      providers: ['jina', 'firecrawl'],
      tier: 'extended',
    });
    expect(row.provider).toBe('jina');
  });
});
