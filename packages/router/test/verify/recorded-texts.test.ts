import { at } from '@trawl/test-support/records';
import { expect, it } from 'vitest';
import { recordedTexts } from '../../src/verify/recorded-texts.ts';
import { fetched, found, storedInteraction } from '../support/stored.ts';

/** The texts of one run, each as its field, text, offset and weight. */
const textsOf = (output_payload: object | null) =>
  recordedTexts(storedInteraction({ runs: [{ output_payload }] })).map(
    ({ field, text, offset, weight, row }) => [row, field, text, offset, weight],
  );

it('every text of a page is looked through, the whole before passages, and titles last', () => {
  const page = {
    url: 'https://example.com/',
    title: 'the title',
    content: 'the content',
    passages: [
      { text: 'one', offset: 10 },
      { text: 'two', offset: 90 },
    ],
    chunks: ['chunk one', 'chunk two', ''],
    transcript: 'what was said',
  };
  const later = { url: 'https://example.org/', title: '', content: null, chunks: null };
  expect(textsOf(fetched([later, page]))).toEqual([
    [2, 'content', 'the content', 0, 0],
    [2, 'passages', 'one', 10, 1],
    [2, 'passages', 'two', 90, 1],
    [2, 'chunks', 'chunk one', 0, 1],
    [2, 'chunks', 'chunk two', 0, 1],
    [2, 'transcript', 'what was said', 0, 1],
    [2, 'title', 'the title', 0, 5],
  ]);
});

it('every text of a search is looked through, the answer in words after its rows', () => {
  const row = { full_content: 'full', excerpt: 'excerpt', summary: 'summary', title: 'title' };
  expect(textsOf(found([{ title: null }, row], 'in words'))).toEqual([
    [2, 'full_content', 'full', 0, 0],
    [2, 'excerpt', 'excerpt', 0, 2],
    [2, 'summary', 'summary', 0, 3],
    [2, 'title', 'title', 0, 5],
    [null, 'answer', 'in words', 0, 4],
  ]);
  expect(textsOf(null)).toEqual([]);
});

it('a text has the run, the URLs, the day and the hash of its page', () => {
  const page = {
    url: 'https://EXAMPLE.com/a#b',
    canonical_url: 'https://example.org/a',
    content: 'text',
    publish_date: '2026-01-01',
    content_sha256: 'hash',
  };
  const stored = storedInteraction({
    id: 'i',
    completedAt: at(9),
    runs: [
      { id: 'first', output_payload: null },
      { id: 'second', output_payload: fetched([page]) },
      { id: 'third', output_payload: found([{ url: 'https://a.example/', title: 't' }]) },
    ],
  });
  expect(recordedTexts(stored)).toMatchObject([
    {
      ...{ interactionId: 'i', runId: 'second', url: page.url, retrievedAt: at(9), row: 1 },
      ...{ publishDate: '2026-01-01', sha256: 'hash' },
      addresses: ['https://example.com/a', 'https://example.org/a'],
    },
    { runId: 'third', url: 'https://a.example/', publishDate: null, sha256: null },
  ]);
});
