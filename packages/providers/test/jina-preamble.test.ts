import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PageReading } from '../src/index.ts';
import { splitPreamble } from '../src/jina/preamble.ts';
import { fetchPlan } from './support/fetch-plan.ts';
import { vendorOf } from './support/providers.ts';

const jinaFetch = vendorOf('jina');

const URL = 'https://harbour.example.org/heat-pumps';
const HEAD = `Title: Heat pumps

URL Source: ${URL}
`;

function readText(text: string, contentFormat: 'markdown' | 'text' = 'markdown') {
  const body = jinaFetch.readText?.(text);
  const answer = jinaFetch.response.safeParse(body);
  const plan = fetchPlan(URL, 'max', { contentFormat });
  return answer.success ? jinaFetch.parse(answer.data, plan) : null;
}

const contentOf = (reading: PageReading | null) =>
  reading?.kind === 'page' ? reading.page.content : undefined;

describe('2.9 the preamble of a text answer is not part of the page', () => {
  test('its lines become fields', () => {
    const text = `${HEAD}
Published Time: Tue, 03 Feb 2026 08:15:00 GMT

Warning: This page maybe not yet fully loaded.
Warning: Target URL returned error 404: Not Found

Number of Pages: 3

Markdown Content:
# Heat pumps

Body.
`;
    expect(readText(text)).toMatchObject({
      kind: 'page',
      page: {
        content: '# Heat pumps\n\nBody.',
        title: 'Heat pumps',
        canonical_url: URL,
        publish_date: '2026-02-03T08:15:00Z',
        page_count: 3,
        http_status: 404,
        remarks: [
          {
            code: 'upstream_warning',
            message: 'jina: This page maybe not yet fully loaded.',
          },
          { code: 'upstream_error', message: 'jina: Target URL returned error 404: Not Found' },
        ],
      },
    });
  });

  test('a short preamble and lines of another system', () => {
    const text = `${HEAD}\nMarkdown Content:\nBody.\n`.replaceAll('\n', '\r\n');
    expect(readText(text)).toMatchObject({
      page: { content: 'Body.', title: 'Heat pumps', canonical_url: URL, http_status: null },
    });
  });

  test('the first such line ends it; the page may contain others', () => {
    const body = 'Title: not this one\n\nMarkdown Content:\nis a heading here';
    expect(contentOf(readText(`${HEAD}\nMarkdown Content:\nIntro\n${body}\n`))).toBe(
      `Intro\n${body}`,
    );
  });

  test.each([
    'Title: a page that begins so',
    'Title: x\n\nSome Markdown Content: in a sentence',
    'Body alone\n\nMarkdown Content:\nmore',
    '',
  ])('nothing is removed from %j', (text) => {
    expect(splitPreamble(text)).toBeNull();
  });

  test('any page comes back unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (page) => {
        expect(splitPreamble(`${HEAD}\nMarkdown Content:\n${page}\n`)?.content).toBe(
          page.endsWith('\r') ? page.slice(0, -1) : page,
        );
      }),
    );
  });

  test('a preamble inside a JSON answer is removed too', () => {
    const data = { url: URL, content: `${HEAD}\nMarkdown Content:\nBody.\n` };
    const reading = jinaFetch.parse(jinaFetch.response.parse({ data }), fetchPlan(URL, 'max'));
    expect(contentOf(reading)).toBe('Body.');
  });
});

test('plain text without preamble is the page, in the format that was asked for', () => {
  expect(readText('The first pump ran in May.\n', 'text')).toMatchObject({
    page: { content: 'The first pump ran in May.\n', content_format: 'text' },
  });
});

test.each(['<!DOCTYPE html><title>Gateway</title>', '\n<html lang="en"></html>'])(
  '%j is not an answer',
  (text) => {
    expect(readText(text)).toBeNull();
  },
);

test.each([
  [400, '1'],
  [23_900, '23'],
  [400_000, '180'],
])('a limit of %d ms is sent as %s s', (timeLimitMs, expected) => {
  const { headers } = jinaFetch.request(fetchPlan(URL, 'default', { timeLimitMs }));
  expect(headers?.['x-timeout']).toBe(expected);
});

test('works without a key, and accepts one', () => {
  expect(jinaFetch.authentication).toEqual({
    in: 'header',
    name: 'authorization',
    prefix: 'Bearer ',
    optional: true,
  });
});

test('a page is priced by its tokens where the operator has a price for them', () => {
  const reading = jinaFetch.parse(
    { data: { content: 'x', usage: { tokens: 4_000 } } },
    fetchPlan(URL, 'max'),
  );
  const page = reading.kind === 'page' ? reading.page : null;
  const usd = (rates: Record<string, number>) =>
    jinaFetch.price(fetchPlan(URL, 'max'), page, rates).usd;
  expect([usd({}), usd({ fetch_million_tokens: 0.05 })]).toEqual([0, 0.0002]);
});
