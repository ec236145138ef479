import { metaRefresh } from '@trawl/extract';
import { startSite } from '@trawl/sandbox';
import { startTestServer } from '@trawl/test-support/harness';
import { expect, test } from 'vitest';

const PAGE = 'https://news.example.com/old/page';
const html = (content: string) =>
  `<html><head><meta charset="utf-8"><META HTTP-EQUIV="Refresh" CONTENT="${content}"></head></html>`;

test.each([
  ['0; url=/new', 'https://news.example.com/new'],
  ['0;URL=https://other.example.org/a?b=1&amp;c=2', 'https://other.example.org/a?b=1&c=2'],
  ["3; url='next'", 'https://news.example.com/old/next'],
  ['0; next', 'https://news.example.com/old/next'],
])('%s leads to %s', (content, target) => {
  expect(metaRefresh(html(content), 'Moved.', PAGE)).toBe(target);
});

test.each([
  ['a reload of the page itself', html('0; url=#top'), 'Moved.'],
  ['a reload without address', html('5'), 'Moved.'],
  ['a page that should be read first', html('30; url=/new'), 'Moved.'],
  ['a page with its own text', html('0; url=/new'), 'word '.repeat(100)],
  ['a script', html('0; url=javascript:alert(1)'), 'Moved.'],
  ['no refresh', '<meta name="refresh" content="0; url=/new">', 'Moved.'],
  ['no markup', null, 'Moved.'],
])('%s stays where it is', (_what, markup, text) => {
  expect(metaRefresh(markup, text, PAGE)).toBeNull();
});

test('the reader follows the page, through the same guard', async () => {
  const site = await startSite();
  const server = await startTestServer({
    env: { FETCH_ALLOW_PRIVATE_HOSTS: new URL(site.url).host },
  });
  const answer = await server.fetch({
    urls: [`${site.url}/meta-refresh`],
    options: { providers: ['direct'] },
  });
  const [row] = answer.json.preprocessor_runs[0].output_payload.fetched_results;
  expect(row.status).toBe('succeeded');
  expect(row.content).not.toContain('Moved.');
  expect(row.canonical_url).not.toContain('meta-refresh');
  await server.stop();
  await site.stop();
});
