import { SearxngSearch } from '@langchain/community/tools/searxng_search';
import { ExaFindSimilarResults, ExaRetriever, ExaSearchResults } from '@langchain/exa';
import { recorded } from '@trawl/test-support/drop-in-recorded';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { Exa } from 'exa-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const SERVING_KEY = 'tk_serves-keyless-calls';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    env: { COMPAT_SEARXNG_KEY: SERVING_KEY, BOOTSTRAP_API_KEY: SERVING_KEY },
  });
});
afterAll(() => server.stop());

describe("LangChain's tools for Exa", () => {
  /** Only the address and the key are ours. */
  const clientOf = (key = server.key) => new Exa(key, `${server.url}/compat/exa`);

  test('search', async () => {
    const tool = new ExaSearchResults({ client: clientOf(), searchArgs: { numResults: 2 } });
    const { results, requestId } = JSON.parse(await tool.invoke('tidal power'));
    expect(results).toHaveLength(2);
    for (const row of results) {
      expect(row).toMatchObject({
        title: expect.any(String),
        url: expect.stringMatching(/^https:/),
        text: expect.stringMatching(/./),
      });
    }
    expect((await recorded(server, requestId)).metadata).toEqual({ compat: 'exa' });
  });

  test('retrieve documents', async () => {
    const retriever = new ExaRetriever({ client: clientOf(), searchArgs: { numResults: 3 } });
    const documents = await retriever.invoke('tidal power');
    expect(documents).toHaveLength(3);
    for (const { pageContent, metadata } of documents) {
      expect(pageContent).toMatch(/./);
      expect(metadata).toMatchObject({ url: expect.stringMatching(/^https:/) });
    }
  });

  test('report a bad key, a bad parameter, and what is not served', async () => {
    const wrong = new ExaSearchResults({ client: clientOf('wrong'), searchArgs: {} });
    await expect(wrong.invoke('tidal power')).rejects.toThrow(/Invalid API key/);
    const many = new ExaSearchResults({ client: clientOf(), searchArgs: { numResults: 25 } });
    await expect(many.invoke('tidal power')).rejects.toThrow(/numResults: .*at most 20/);
    const similar = new ExaFindSimilarResults({ client: clientOf(), searchArgs: {} });
    await expect(similar.invoke('https://example.com/')).rejects.toThrow(/findSimilar/);
  });
});

describe("LangChain's tool for SearXNG", () => {
  /** Only the address is ours: it sends no key. */
  const toolOf = (params: Record<string, string | number>) =>
    new SearxngSearch({ apiBase: `${server.url}/compat/searxng`, params });

  test('searches with its own defaults', async () => {
    const text = await new SearxngSearch({ apiBase: `${server.url}/compat/searxng` }).invoke(
      'tidal power',
    );
    const rows = JSON.parse(`[${text}]`);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row).toEqual({
        title: expect.any(String),
        link: expect.stringMatching(/^https?:/),
        snippet: expect.any(String),
      });
    }
  });

  test('searches with the parameters of its documentation', async () => {
    const text = await toolOf({ format: 'json', engines: 'google', numResults: 3 }).invoke(
      'tidal power',
    );
    expect(JSON.parse(`[${text}]`)).toHaveLength(3);
  });

  test('reports a bad parameter', async () => {
    await expect(toolOf({ format: 'csv' }).invoke('tidal power')).rejects.toThrow('Bad Request');
  });
});
