import type { JsonObject } from '@trawl/contract';
import { type ApiKey, IN_PROGRESS_ELSEWHERE } from '@trawl/router';
import type { StoredWatch } from '@trawl/store';
import { describe, expect, it } from 'vitest';
import { foundOf } from '../../src/watches/found-items.ts';
import { runWatch } from '../../src/watches/run-watch.ts';

const KEY = { id: 'key' } as ApiKey;
const WATCH = {
  id: 'w1',
  sessionId: 's1',
  nextRunAt: '2026-01-01T00:00:00.000Z',
  request: { search: { user_input: { query: 'tides' }, metadata: { step: 1 } } },
} as unknown as StoredWatch;

/** What the API answers, and what it was sent. */
async function ran(answer: unknown, status = 200, watch: StoredWatch = WATCH) {
  const sent: { url: string; headers: Headers; body: JsonObject }[] = [];
  const api = async (request: Request, key: ApiKey) => {
    expect(key).toBe(KEY);
    const body = (await request.json()) as JsonObject;
    sent.push({ url: new URL(request.url).pathname, headers: request.headers, body });
    return new Response(answer === '' ? '' : JSON.stringify(answer), { status });
  };
  const result = await runWatch(watch, KEY, api, 'the-key-of-this-run');
  return { result, sent: sent[0] };
}

const searchRun = (provider: string, urls: readonly string[], more: object = {}) => ({
  preprocessor_name: provider,
  batch_index: 0,
  error: null,
  output_payload: { results: urls.map((url) => ({ url, title: `of ${url}` })) },
  ...more,
});
const failedRun = (provider: string, message: string) => ({
  ...{ preprocessor_name: provider, batch_index: 0, output_payload: null, error: { message } },
});
const page = (path: string, more: object = {}) => ({
  url: `https://example.com/${path}`,
  title: path,
  status: 'succeeded',
  provider: 'jina',
  error: null,
  content_sha256: `hash of ${path}`,
  ...more,
});
const fetchRun = (...pages: readonly object[]) => ({
  preprocessor_name: 'web_fetch',
  batch_index: 0,
  error: null,
  output_payload: { fetched_results: pages },
});
const interaction = (...runs: readonly object[]) => ({
  interaction_id: 'i1',
  preprocessor_runs: runs,
});

describe('a run of a watch asks', () => {
  it('for its search, in its session, with the time that it was due for', async () => {
    const { sent } = await ran(interaction());
    expect(sent?.url).toBe('/v1/search');
    expect(sent?.headers.get('idempotency-key')).toBe('the-key-of-this-run');
    expect(sent?.body).toEqual({
      user_input: { query: 'tides' },
      session_id: 's1',
      metadata: { step: 1, watch_id: 'w1' },
    });
  });

  it('for pages that are fresh, unless it says otherwise', async () => {
    const urls = ['https://example.com/'];
    const optionsOf = async (options?: object) => {
      const request = { fetch: { urls, ...(options ? { options } : {}) } };
      const { sent } = await ran(interaction(), 200, { ...WATCH, request } as StoredWatch);
      expect(sent?.url).toBe('/v1/fetch');
      return sent?.body.options;
    };
    expect(await optionsOf()).toEqual({ tier: 'default', max_age_seconds: 0 });
    expect(await optionsOf({ tier: 'max', content_format: 'text' })).toEqual({
      ...{ tier: 'max', content_format: 'text', max_age_seconds: 0 },
    });
    expect(await optionsOf({ max_age_seconds: 60 })).toMatchObject({ max_age_seconds: 60 });
  });
});

describe('a run of a watch', () => {
  it('of three providers is whole, partial or failed by how many of them failed', async () => {
    const ok = searchRun('exa', ['https://a.example/']);
    const first = failedRun('brave', 'brave is slow');
    const second = failedRun('you', 'you refused');
    const third = failedRun('tavily', 'no answer');
    const outcome = async (...runs: readonly object[]) => {
      const { result } = await ran(interaction(...runs));
      return [result?.status, result?.error?.message ?? null, result?.error?.status ?? null];
    };
    expect(await outcome(ok, ok, ok)).toEqual(['succeeded', null, null]);
    expect(await outcome(ok, first, ok)).toEqual(['partial', 'brave: brave is slow', 200]);
    expect(await outcome(first, ok, second)).toEqual([
      'partial',
      'brave: brave is slow; you: you refused',
      200,
    ]);
    expect((await outcome(first, second, third))[0]).toBe('failed');
    expect(await outcome(first)).toEqual(['failed', 'brave: brave is slow', 200]);
  });

  it('of pages is judged by its pages', async () => {
    const bad = page('b', { status: 'failed', error: { message: 'gone' }, content_sha256: null });
    const { result } = await ran(interaction(fetchRun(page('a'), bad)));
    expect(result).toMatchObject({
      status: 'partial',
      interactionId: 'i1',
      error: { status: 200, message: 'https://example.com/b: gone' },
    });
    expect(result?.found.items).toHaveLength(1);
  });

  it('that is refused has the reason; one that was recorded nevertheless failed', async () => {
    const refused = async (answer: unknown, status: number) => (await ran(answer, status)).result;
    expect(await refused({ detail: 'no budget' }, 402)).toEqual({
      status: 'refused',
      isRepeat: false,
      error: { status: 402, message: 'no budget' },
      interactionId: null,
      found: { answered: [], items: [] },
    });
    const typed = { code: 'provider_unavailable', message: 'none', interaction_id: 'i9' };
    expect(await refused({ error: typed }, 502)).toMatchObject({
      status: 'failed',
      error: { status: 502, message: 'none' },
      interactionId: 'i9',
    });
    expect(await refused({ detail: [{ msg: 'wrong' }, { msg: 'more' }] }, 422)).toMatchObject({
      error: { message: 'wrong' },
    });
    expect(await refused('', 500)).toMatchObject({
      error: { status: 500, message: 'the request was not answered' },
    });
  });

  it('that another server may still record is not ended', async () => {
    expect((await ran({ detail: IN_PROGRESS_ELSEWHERE }, 503)).result).toBeUndefined();
    expect((await ran({ detail: 'other' }, 503)).result).toMatchObject({ status: 'refused' });
  });

  it('has an error of at most 500 characters', async () => {
    const message = async (length: number) =>
      (await ran({ detail: 'x'.repeat(length) }, 400)).result?.error?.message ?? '';
    expect(await message(500)).toBe('x'.repeat(500));
    expect(await message(501)).toBe(`${'x'.repeat(499)}…`);
  });
});

describe('what a run found', () => {
  const found = (...runs: readonly object[]) => foundOf(interaction(...runs) as never);
  const itemsOf = (...runs: readonly object[]) => found(...runs).items.map(({ item }) => item);

  it('is each URL, the same from every provider, query and spelling', () => {
    const [first, second, third] = itemsOf(
      searchRun('exa', ['https://example.com/a']),
      searchRun('brave', ['https://EXAMPLE.com/a#part'], { batch_index: 3 }),
      searchRun('exa', ['https://example.com/b']),
    );
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('is from a source of its own for each provider and query, also one without rows', () => {
    const { answered, items } = found(
      searchRun('exa', ['https://example.com/a']),
      searchRun('exa', [], { batch_index: 1 }),
      searchRun('brave', [], { batch_index: 1 }),
      failedRun('you', 'no'),
    );
    expect(new Set(answered).size).toBe(3);
    expect(items.map(({ source }) => source)).toEqual([answered[0]]);
    expect(found(searchRun('exa', [])).answered).toEqual([answered[0]]);
  });

  it('has what news say of it, and skips rows without a URL', () => {
    const run = searchRun('exa', ['https://example.com/a'], { batch_index: 2 });
    const results = [{ title: 'no URL' }, ...run.output_payload.results, { url: null }];
    const { items } = found({ ...run, output_payload: { results } });
    expect(items.map(({ body }) => body)).toEqual([
      {
        kind: 'result',
        url: 'https://example.com/a',
        title: 'of https://example.com/a',
        provider: 'exa',
        batch_index: 2,
        content_sha256: null,
      },
    ]);
  });

  it('is the text of each page, which is a source once it has one', () => {
    const { answered, items } = found(
      fetchRun(
        page('a'),
        page('b', { status: 'failed' }),
        page('c', { content_sha256: null }),
        page('a', { content_sha256: 'other' }),
      ),
    );
    expect(answered).toEqual([]);
    expect(items.map(({ body }) => [body.url, body.content_sha256, body.provider])).toEqual([
      ['https://example.com/a', 'hash of a', 'jina'],
      ['https://example.com/a', 'other', 'jina'],
    ]);
    const [one, other] = items;
    expect(one?.source).toBe(other?.source);
    expect(one?.item).not.toBe(other?.item);
    // two pages with one text are two items
    const same = itemsOf(fetchRun(page('a'), page('d', { content_sha256: 'hash of a' })));
    expect(new Set(same).size).toBe(2);
  });
});
