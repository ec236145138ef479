import zlib from 'node:zlib';
import { startTestServer } from '@trawl/test-support/harness';
import { serveHttp, serveTcp } from '@trawl/test-support/loopback';
import { afterAll, expect, test } from 'vitest';
import { fetchPages } from '../spec/support/fetch-tables.ts';

const server = await startTestServer({
  env: { FETCH_ALLOW_PRIVATE_HOSTS: '127.0.0.1', FETCH_CHAIN: 'direct' },
});
afterAll(() => server.stop());

const STORY = `<!doctype html><title>The mill</title><p>${'The tide mill turns twice a day and grinds what the valley brings. '.repeat(30)}</p>`;
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';

async function readRaw(...answer: readonly (string | Buffer)[]) {
  const site = await serveTcp((socket) => {
    socket.once('data', () => socket.end(Buffer.concat(answer.map((part) => Buffer.from(part)))));
  });
  const { row } = await fetchPages(server, site.url, { providers: ['direct'], no_cache: true });
  return row;
}

test.each([
  ['is longer than what came', [HEAD, 'content-length: 90000\r\n\r\n', STORY]],
  [
    'is packed, and was cut',
    [HEAD, 'content-encoding: gzip\r\n\r\n', zlib.gzipSync(STORY).subarray(0, -12)],
  ],
])('a page that %s is read as far as it came, and its row says so', async (_title, answer) => {
  const row = await readRaw(...answer);
  expect(row).toMatchObject({ status: 'succeeded', title: 'The mill' });
  expect(row.content).toContain('The tide mill turns twice a day');
  expect(row.warning).toContain('the site sent only a part of the page');
});

test('a page whose head only browsers accept is a page like any other', async () => {
  const head = `HTTP/1.1 200\nserved by the mill\nx-policy: a\n b\ncontent-encoding: UTF-8\n${HEAD.slice(17)}`;
  const length = `content-length: ${STORY.length}\r\n`;
  const row = await readRaw(head, length, length, '\r\n', STORY);
  expect(row).toMatchObject({ status: 'succeeded', title: 'The mill', warning: null });
});

test('a page that broke off is not kept: the next fetch asks again', async () => {
  let asked = 0;
  const site = await serveHttp((response) => {
    asked += 1;
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': STORY.length });
    if (asked === 1) response.write(STORY.slice(0, -200), () => response.destroy());
    else response.end(STORY);
  });
  const rows = [];
  for (const _ of [1, 2, 3]) rows.push((await fetchPages(server, site.url)).row);
  expect(rows.map(({ warning }) => warning?.includes('only a part') ?? false)).toEqual([
    true,
    false,
    false,
  ]);
  expect(asked).toBe(2);
});
