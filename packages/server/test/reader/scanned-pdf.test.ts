import { startTestServer } from '@trawl/test-support/harness';
import { serveHttp } from '@trawl/test-support/loopback';
import { composeDrawn } from '@trawl/test-support/pdf';
import { afterAll, expect, test } from 'vitest';
import { fetchPages } from '../spec/support/fetch-tables.ts';

const server = await startTestServer({ env: { FETCH_ALLOW_PRIVATE_HOSTS: '127.0.0.1' } });
afterAll(() => server.stop());

test('a PDF of pictures is an empty page, whose message says that it needs OCR', async () => {
  const pdf = composeDrawn([{ drawing: 'q 595 0 0 842 0 0 cm Q' }]);
  const site = await serveHttp((response) =>
    response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdf),
  );
  const { row } = await fetchPages(server, site.url, { providers: ['direct'], no_cache: true });
  expect(row.error).toMatchObject({
    code: 'empty_page',
    message: expect.stringContaining('needs OCR'),
  });
});
