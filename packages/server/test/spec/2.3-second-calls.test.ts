import { describe, expect, test } from 'vitest';
import { type StubCall, useStubFor } from './support/fetched-pages.ts';
import { search } from './support/search-runs.ts';

const only = (slug: string, more: object = {}) => ({ providers: { include: [slug] }, ...more });

describe('jina that could read no page', () => {
  const stub = useStubFor('jina');
  const isBare = ({ headers }: StubCall) => headers['x-respond-with'] === 'no-content';
  const refused = (message: string) => ({ status: 422, body: { data: null, code: 422, message } });
  const row = { title: 'Tides', url: 'https://a.example/', description: 'About tides.' };
  const answer = { body: { code: 200, data: [row], meta: { usage: { tokens: 10_000 } } } };

  test('2.3 jina: it is asked once more without page text, so that the rows come', async () => {
    stub().respond((call) =>
      isBare(call) ? answer : refused('No content available for query tides'),
    );
    for (const _ of [1, 2]) {
      const found = await search(stub(), 'tides', only('jina', { tier: 'max' }));
      expect(found.rows('jina')).toMatchObject([{ title: 'Tides', full_content: null }]);
      expect(found.warnings('jina')).toContain(
        'capability_gap full_content: jina could not read any of the pages, so it was asked again without their text',
      );
      expect(found.run('jina').request_payload.headers).toMatchObject({
        'x-respond-with': 'no-content',
      });
    }
    // it is about the pages of that query, so the next search asks for text again
    expect(stub().received.map(isBare)).toEqual([false, true, false, true]);
  });

  test('2.3 jina: a query for which there is nothing is an empty success', async () => {
    stub().respond(() => refused('No search results available for query tides'));
    const found = await search(stub(), 'tides', only('jina', { tier: 'max' }));
    expect(found.rows('jina')).toEqual([]);
    expect(stub().received).toHaveLength(1);
  });
});

describe('kagi, whose documents show two words before the key', () => {
  const stub = useStubFor('kagi');
  const wordOf = ({ headers }: StubCall) => String(headers.authorization).split(' ')[0];
  const refusal = { status: 401, body: { error: [{ code: '2', message: 'Unauthorized' }] } };
  const answer = {
    body: { meta: {}, data: { search: [{ url: 'https://a.example/', title: 'A' }] } },
  };

  test('2.3 kagi: a refused key is tried once with the other word, which is remembered', async () => {
    stub().respond((call) => (wordOf(call) === 'Bot' ? answer : refusal));
    for (const _ of [1, 2]) {
      const found = await search(stub(), 'tides', only('kagi'));
      expect(found.rows('kagi')).toHaveLength(1);
      expect(found.warnings('kagi')).toEqual([]);
    }
    expect(stub().received.map(wordOf)).toEqual(['Bearer', 'Bot', 'Bot']);
  });

  test('2.3 kagi: a key that both words do not help is an invalid credential', async () => {
    stub().respond(() => refusal);
    const found = await search(stub(), 'tides', only('kagi'));
    expect(found.error('kagi')).toMatchObject({ code: 'invalid_credential', http_status: 401 });
    expect(stub().received.length).toBeLessThanOrEqual(2);
  });
});

describe('an answer that is cut short', () => {
  const stub = useStubFor('arxiv');
  const entry = (id: number) =>
    `<entry><id>http://arxiv.org/abs/2202.0000${id}v1</id><title>Tides ${id}</title><summary>Of tides.</summary></entry>`;
  const feed = `<?xml version='1.0' encoding='UTF-8'?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv Query</title>${entry(1)}${entry(2)}</feed>`;
  const asked = (body: string) => {
    stub().respond(() => ({ body, headers: { 'content-type': 'application/atom+xml' } }));
    return search(stub(), 'tides', only('arxiv'));
  };

  test('2.3 arxiv: a feed without its end is a failed run, wherever it is cut', async () => {
    expect((await asked(feed)).rows('arxiv')).toHaveLength(2);
    for (const share of [0.3, 0.5, 0.8, 0.99]) {
      const found = await asked(feed.slice(0, Math.floor(feed.length * share)));
      expect(found.error('arxiv')).toMatchObject({
        code: 'bad_response',
        message: expect.stringContaining('cut short'),
      });
    }
  });
});

describe('a search that took a vendor too long', () => {
  const stub = useStubFor('firecrawl');

  test('2.3 firecrawl: its 408 is a timeout, which is not repeated', async () => {
    stub().respond(() => ({ status: 408, body: { success: false, error: 'Request timed out' } }));
    const found = await search(stub(), 'tides', only('firecrawl'));
    expect(found.error('firecrawl')).toMatchObject({ code: 'timeout', http_status: 408 });
    expect(stub().received).toHaveLength(1);
  });
});
