import { BaseDocumentLoader } from '@langchain/core/document_loaders/base';
import { BaseRetriever } from '@langchain/core/retrievers';
import { RunnableLambda } from '@langchain/core/runnables';
import { answer, searchRun, withRows } from '@trawl/test-support/client-answers';
import { answers, staysSilent } from '@trawl/test-support/client-stub';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Failure, failuresOf, Trawl } from '../src/index.ts';
import {
  NoDocumentsError,
  TrawlLoader,
  TrawlRetriever,
  webFetchTool,
  webSearchTool,
} from '../src/langchain/index.ts';
import { clientOf, failureOf } from './support/client-of.ts';

const PAIR = { providers: { include: ['exa', 'brave'] } };
const PAGE = 'https://news.example.com/a-page';
const MISSING = 'https://news.example.com/missing';

let server: TestServer;
let client: Trawl;
beforeAll(async () => {
  server = await startTestServer();
  client = new Trawl({ baseUrl: server.url, apiKey: server.key });
});
afterAll(() => server.stop());
beforeEach(() => server.sandbox.clearCalls());
afterEach(() => {
  server.sandbox.clearFaults();
  vi.restoreAllMocks();
});

/** An `onFailure` function, and the failures that it received. */
function listener() {
  const reported: Failure[] = [];
  return { reported, onFailure: (failure: Failure) => void reported.push(failure) };
}

describe('the retriever', () => {
  test('returns rows as documents with their origin', async () => {
    const retriever = new TrawlRetriever({ client, search: { ...PAIR, num_results: 2 } });
    expect(retriever).toBeInstanceOf(BaseRetriever);
    const documents = await retriever.invoke('tidal power');
    expect(documents.map(({ metadata }) => [metadata.provider, metadata.rank])).toEqual([
      ['exa', 1],
      ['exa', 2],
      ['brave', 1],
      ['brave', 2],
    ]);
    for (const { pageContent, metadata, id } of documents) {
      expect(pageContent.length).toBeGreaterThan(0);
      expect(metadata.source).toMatch(/^https?:/);
      expect(id).toBe(`${metadata.provider} ${metadata.source}`);
    }
    const { session_id, interaction_id } = documents[0]?.metadata ?? {};
    const recorded = await client.readInteraction({
      session_id: String(session_id),
      interaction_id: String(interaction_id),
    });
    expect(recorded.preprocessor_runs).toHaveLength(2);
  });

  test('gives the same page the same id in another search', async () => {
    const retriever = new TrawlRetriever({ client, search: PAIR });
    const ids = async () => (await retriever.invoke('tidal power')).map(({ id }) => id);
    expect(await ids()).toEqual(await ids());
  });

  test('takes the whole page of a row, else its excerpt, else its summary', async () => {
    const texts = { title: 'Title', summary: 'Summary', excerpt: 'Excerpt', full_content: 'Whole' };
    const run = searchRun(
      withRows([texts, { ...texts, full_content: null }, { title: 'Title', summary: 'Summary' }]),
    );
    const found = { ...answer(run), session_id: 's', interaction_id: 'i' };
    const { client: stubbed } = await clientOf({}, answers(200, found));
    const documents = await new TrawlRetriever({ client: stubbed }).invoke('tides');
    expect(documents.map(({ pageContent }) => pageContent)).toEqual([
      'Whole',
      'Excerpt',
      'Summary',
    ]);
  });

  test('works as a step of a chain', async () => {
    const chain = new TrawlRetriever({ client, search: PAIR }).pipe(
      RunnableLambda.from((documents: readonly { readonly id?: string }[]) => documents.length),
    );
    expect(await chain.invoke('tidal power')).toBeGreaterThan(2);
  });

  test('reports a provider that failed while another answered', async () => {
    server.sandbox.inject('brave', 'status=500');
    const { reported, onFailure } = listener();
    const documents = await new TrawlRetriever({ client, search: PAIR, onFailure }).invoke('tides');
    expect(new Set(documents.map(({ metadata }) => metadata.provider))).toEqual(new Set(['exa']));
    expect(reported).toMatchObject([{ provider: 'brave', query: 'tides', code: 'upstream_error' }]);
  });

  test('warns on the console without onFailure', async () => {
    server.sandbox.inject('brave', 'status=500');
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    await new TrawlRetriever({ client, search: PAIR }).invoke('tides');
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^trawl: brave: upstream_error: /)]]);
  });

  test('throws when every provider failed', async () => {
    server.sandbox.inject('*', 'status=500');
    const error = await new TrawlRetriever({ client, search: PAIR }).invoke('tides').catch(String);
    expect(error).toMatch(/NoDocumentsError: no documents:\nexa: upstream_error: .*\nbrave: /);
  });

  test('an answer without rows is an empty list', async () => {
    const found = { ...answer(searchRun(withRows([]))), session_id: 's', interaction_id: 'i' };
    const { client: stubbed } = await clientOf({}, answers(200, found));
    expect(await new TrawlRetriever({ client: stubbed }).invoke('tides')).toEqual([]);
  });

  test('a provider that failed while another found nothing is reported', async () => {
    const error = {
      code: 'timeout',
      message: 'too slow',
      provider: 'beta',
      http_status: null,
      retryable: true,
      retry_after_ms: null,
      warnings: [],
    };
    const failed = searchRun({ preprocessor_name: 'beta', status: 'failed', output_payload: null });
    const runs = answer(searchRun(withRows([])), { ...failed, error });
    const found = { ...runs, session_id: 's', interaction_id: 'i' };
    const { client: stubbed } = await clientOf({}, answers(200, found));
    const { reported, onFailure } = listener();
    expect(await new TrawlRetriever({ client: stubbed, onFailure }).invoke('tides')).toEqual([]);
    expect(reported).toMatchObject([{ provider: 'beta', code: 'timeout' }]);
  });

  test('a row without text is reported, and is not a document', async () => {
    const run = searchRun(
      withRows([
        { url: 'https://site.example/empty', title: null },
        { url: 'https://site.example/title', title: 'A title' },
      ]),
    );
    const found = { ...answer(run), session_id: 's', interaction_id: 'i' };
    const { client: stubbed } = await clientOf({}, answers(200, found));
    const { reported, onFailure } = listener();
    const documents = await new TrawlRetriever({ client: stubbed, onFailure }).invoke('tides');
    expect(documents).toMatchObject([{ pageContent: 'A title', metadata: { rank: 2 } }]);
    expect(reported).toMatchObject([{ url: 'https://site.example/empty', code: 'no_text' }]);
  });

  test.each(['of the call', 'of the retriever'])(
    'the signal %s ends the request',
    async (whose) => {
      const controller = new AbortController();
      const { client: silenced, server: silent } = await clientOf({}, (...given) => {
        staysSilent(...given);
        controller.abort('enough');
      });
      const { signal } = controller;
      const own = whose === 'of the call' ? {} : { signal };
      const retriever = new TrawlRetriever({ client: silenced, ...own });
      const call = whose === 'of the call' ? { signal } : { signal: new AbortController().signal };
      expect(await failureOf(retriever.invoke('tides', call))).toMatchObject({ kind: 'aborted' });
      await silent.hungUp();
      expect(silent.received).toHaveLength(1);
    },
  );

  test('shows no key when it is printed or traced', () => {
    const retriever = new TrawlRetriever({ client });
    expect(JSON.stringify(retriever)).not.toContain(server.key);
  });
});

describe('the loader', () => {
  test('returns pages as documents, and reports one that could not be read', async () => {
    const { reported, onFailure } = listener();
    const loader = new TrawlLoader({ client, urls: [PAGE, MISSING], onFailure });
    expect(loader).toBeInstanceOf(BaseDocumentLoader);
    const documents = await loader.load();
    expect(documents).toHaveLength(1);
    expect(documents[0]).toMatchObject({ id: PAGE, metadata: { source: PAGE, truncated: false } });
    expect(documents[0]?.pageContent.length).toBe(documents[0]?.metadata.content_length);
    expect(reported).toMatchObject([{ url: MISSING, code: 'not_found' }]);
  });

  test('marks a text that was cut', async () => {
    const [document] = await new TrawlLoader({
      client,
      urls: [PAGE],
      fetch: { inline_max_chars: 50 },
    }).load();
    expect(document?.pageContent).toHaveLength(50);
    expect(document?.metadata.truncated).toBe(true);
    expect(document?.metadata.content_length).toBeGreaterThan(50);
  });

  test('throws when no page could be read', async () => {
    const error = await new TrawlLoader({ client, urls: [MISSING] }).load().catch((e) => e);
    expect(error).toBeInstanceOf(NoDocumentsError);
    expect(error.failures).toMatchObject([{ url: MISSING, code: 'not_found' }]);
  });

  test('a page that was fetched without its text is reported, and is not a document', async () => {
    const fetch = { inline_content: false };
    const error = await new TrawlLoader({ client, urls: [PAGE], fetch }).load().catch((e) => e);
    expect(error.failures).toMatchObject([{ url: PAGE, code: 'no_text' }]);
  });

  test('a signal ends the request', async () => {
    const signal = AbortSignal.abort('enough');
    const loader = new TrawlLoader({ client, urls: [PAGE], signal });
    expect(await failureOf(loader.load())).toMatchObject({ kind: 'aborted', cause: 'enough' });
    expect(server.sandbox.calls).toEqual([]);
  });
});

describe('the tools', () => {
  test('a search gives text to the model and the answer as artifact', async () => {
    const search = webSearchTool({ client, search: PAIR });
    expect(search.name).toBe('web_search');
    const message = await search.invoke({
      type: 'tool_call',
      id: 'call-1',
      name: search.name,
      args: { query: 'tidal power', num_results: 2 },
    });
    expect(message.content).toMatch(/<results provider="exa, brave" query="tidal power">/);
    expect(message.tool_call_id).toBe('call-1');
    expect(message.artifact.preprocessor_runs).toHaveLength(2);
  });

  test('a direct call returns the text', async () => {
    server.sandbox.inject('brave', 'status=500');
    const text = await webSearchTool({ client, search: PAIR }).invoke({ query: 'tides' });
    expect(text).toMatch(/FAILED: brave gave no results for "tides"/);
  });

  test('a fetch marks a page that could not be read', async () => {
    const fetch = webFetchTool({ client });
    const message = await fetch.invoke({
      type: 'tool_call',
      id: 'call-1',
      name: fetch.name,
      args: { urls: [PAGE, MISSING] },
    });
    expect(message.content).toContain(`<source number="1" url="${PAGE}"`);
    expect(message.content).toMatch(/FAILED: \S+\/missing \(not_found/);
    expect(failuresOf(message.artifact)).toHaveLength(1);
  });

  test('wrong arguments are refused before anything is sent', async () => {
    const search = webSearchTool({ client });
    await expect(search.invoke({ query: 'a', queries: ['b'] })).rejects.toThrow(/schema/);
    expect(server.sandbox.calls).toEqual([]);
  });

  test('a signal ends the request', async () => {
    const controller = new AbortController();
    const { client: silenced, server: silent } = await clientOf({}, (...given) => {
      staysSilent(...given);
      controller.abort();
    });
    const { signal } = controller;
    const running = webSearchTool({ client: silenced }).invoke({ query: 'tides' }, { signal });
    await expect(running).rejects.toThrow();
    await silent.hungUp();
    expect(silent.received).toHaveLength(1);
  });
});
