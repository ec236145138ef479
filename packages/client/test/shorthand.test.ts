import { answers } from '@trawl/test-support/client-stub';
import { describe, expect, test } from 'vitest';
import { clientOf } from './support/client-of.ts';

const bodiesOf = (received: readonly { readonly body: string }[]) =>
  received.map(({ body }) => JSON.parse(body));

describe('short forms', () => {
  test('a search as a string, as { query } with other members, and as the request of the API', async () => {
    const { client, server } = await clientOf({}, answers(200, {}));
    await client.search('tidal power');
    await client.search({ query: 'tidal power', search: { num_results: 2 } });
    await client.search({ user_input: [{ query: 'tidal power' }] });
    await client.searchDryRun('tidal power');
    expect(bodiesOf(server.received)).toEqual([
      { user_input: { query: 'tidal power' } },
      { user_input: { query: 'tidal power' }, search: { num_results: 2 } },
      { user_input: [{ query: 'tidal power' }] },
      { user_input: { query: 'tidal power' } },
    ]);
  });

  test('contradictory input is sent to the server', async () => {
    const { client, server } = await clientOf({}, answers(422, { detail: [] }));
    const both = { query: 'a', user_input: { query: 'b' } };
    await expect(client.search(both)).rejects.toThrow('422');
    // @ts-expect-error a call without arguments, from JavaScript
    await expect(client.search({})).rejects.toThrow('422');
    expect(bodiesOf(server.received)).toEqual([both, {}]);
  });

  test('a fetch as a URL, and as a list of them', async () => {
    const { client, server } = await clientOf({}, answers(200, {}));
    await client.fetch('https://a.example');
    await client.fetch(['https://a.example', 'https://b.example']);
    await client.fetch({ urls: ['https://a.example'], options: { tier: 'max' } });
    expect(bodiesOf(server.received)).toEqual([
      { urls: ['https://a.example'] },
      { urls: ['https://a.example', 'https://b.example'] },
      { urls: ['https://a.example'], options: { tier: 'max' } },
    ]);
  });
});
