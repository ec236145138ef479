import { startTestServer } from '@trawl/test-support/harness';
import { type Answer, serveHttp } from '@trawl/test-support/loopback';
import { afterAll, describe, expect, test } from 'vitest';
import { fetchPages } from '../spec/support/fetch-tables.ts';

const server = await startTestServer({
  env: { FETCH_ALLOW_PRIVATE_HOSTS: '127.0.0.1', FETCH_CHAIN: 'direct' },
});
afterAll(() => server.stop());

const STORY = 'The tide mill turns twice a day and grinds what the valley brings. '
  .repeat(20)
  .trim();
const HTML = `<!doctype html><title>The mill in HTML</title><article><h1>The mill</h1><p>${STORY}</p></article>`;
const MARKDOWN = `---\ntitle: The mill in markdown\nauthor: Ada Obi\n---\n\n# The mill\n\n${STORY} [More](/more)`;

interface Sent {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
}

/** A site that answers with markdown to those that prefer it. */
async function siteOf(markdown: Sent, html: Sent = { body: HTML }) {
  const answer: Answer = (response, { headers }) => {
    const isMarkdown = /^text\/markdown\b/.test(headers.accept ?? '');
    const {
      status = 200,
      type = isMarkdown ? 'text/markdown' : 'text/html',
      body,
    } = isMarkdown ? markdown : html;
    response.writeHead(status, { 'content-type': type, vary: 'accept' }).end(body);
  };
  const site = await serveHttp(answer);
  return { ...site, accepts: () => site.received.map(({ headers }) => headers.accept) };
}

const read = async (url: string, options: object = {}) =>
  (await fetchPages(server, url, { providers: ['direct'], tier: 'extended', ...options })).row;

describe('markdown is asked for first', () => {
  test('and is the page, in one request', async () => {
    const site = await siteOf({ body: MARKDOWN });
    const row = await read(`${site.url}/guide/mill`);
    expect(row).toMatchObject({
      status: 'succeeded',
      title: 'The mill in markdown',
      author: 'Ada Obi',
      content: `# The mill\n\n${STORY} [More](${site.url}/more)`,
      content_format: 'markdown',
      content_type: 'text/markdown',
      links: [`${site.url}/more`],
      metadata: { source: 'markdown' },
    });
    expect(site.accepts()).toEqual([
      expect.stringMatching(/^text\/markdown, text\/html;q=0\.9, .*\*\/\*;q=0\.1$/),
    ]);
  });

  test('and is written without marks as text', async () => {
    const site = await siteOf({ body: MARKDOWN });
    const row = await read(site.url, { content_format: 'text' });
    expect(row).toMatchObject({ content: `The mill\n\n${STORY} More`, content_format: 'text' });
  });

  test('a site without it is read as before, in one request', async () => {
    const site = await siteOf({ type: 'text/html', body: HTML });
    const row = await read(site.url);
    expect(row).toMatchObject({ title: 'The mill in HTML', content_type: 'text/html' });
    expect(row.metadata).toBeNull();
    expect(site.received).toHaveLength(1);
  });

  test('a redirect to a file of markdown is followed', async () => {
    const site = await serveHttp((response, { url }) => {
      if (url === '/mill') return response.writeHead(302, { location: '/mill.md' }).end();
      return response.writeHead(200, { 'content-type': 'text/plain' }).end(MARKDOWN);
    });
    const row = await read(`${site.url}/mill`);
    expect(row).toMatchObject({
      title: 'The mill in markdown',
      canonical_url: `${site.url}/mill.md`,
    });
    expect(site.received).toHaveLength(2);
  });
});

describe('the page in HTML is asked for', () => {
  test.each<[string, Sent]>([
    ['where markdown is refused', { status: 406, type: 'text/html', body: 'Not Acceptable' }],
    ['for an error in markdown', { status: 404, body: '# Not found\n\nNo such page for agents.' }],
    ['for markdown without text', { body: '---\ntitle: The mill\n---\n' }],
    ['for a notice to sign in', { body: '# Sign in\n\nPlease sign in to view this page.' }],
    ['for a short part of the page', { body: '# The mill\n\nThe tide mill turns twice a day.' }],
    ['for an index', { body: `# Pages\n\n${'- [The mill](/mill)\n'.repeat(30)}` }],
    ['for a body that is not markdown', { body: '\0\x01\x02\x03'.repeat(50) }],
  ])('%s', async (_, markdown) => {
    const site = await siteOf(markdown);
    const row = await read(site.url);
    expect(row).toMatchObject({ status: 'succeeded', title: 'The mill in HTML' });
    expect(site.accepts()).toEqual([
      expect.stringMatching(/^text\/markdown/),
      expect.not.stringContaining('markdown'),
    ]);
  });

  test('and is not taken where it has no more text', async () => {
    const short = 'The tide mill turns twice a day.';
    const html = { body: `<title>In HTML</title><h1>The mill</h1><p>${short}</p>` };
    const site = await siteOf({ body: `# In markdown\n\n${short}` }, html);
    expect(await read(site.url)).toMatchObject({ title: 'In markdown' });
    expect(site.received).toHaveLength(2);
  });

  test.each<[string, Sent]>([
    ['is an error', { status: 500, body: 'Down' }],
    ['is a wall', { body: '<title>Just a moment...</title><p>Verifying you are human.</p>' }],
  ])('and is not taken where it %s', async (_, html) => {
    const site = await siteOf({ body: '# In markdown\n\nA short page.' }, html);
    expect(await read(site.url)).toMatchObject({ status: 'succeeded', title: 'In markdown' });
  });

  test.each([
    [402, 'payment_required'],
    [429, 'blocked'],
    [503, 'target_error'],
    [403, 'blocked'],
  ])('but not after a status %d, which is of the page', async (status, code) => {
    const site = await siteOf({ status, body: '# No\n\nNot for agents.' });
    const row = await read(site.url);
    expect([row.error.code, row.http_status]).toEqual([code, status]);
    expect(site.received).toHaveLength(1);
  });

  test('and where that does not answer, what the markdown says counts', async () => {
    const site = await serveHttp((response, { headers }) => {
      if (!/^text\/markdown/.test(headers.accept ?? '')) return response.destroy();
      return response.writeHead(404, { 'content-type': 'text/markdown' }).end('# Not found');
    });
    const row = await read(site.url);
    expect([row.error.code, row.http_status]).toEqual(['not_found', 404]);
  });

  test('and its verdict counts where both are no page', async () => {
    const site = await siteOf({ status: 404, body: 'No.' }, { status: 403, body: 'Go away' });
    const row = await read(site.url);
    expect([row.error.code, row.http_status]).toEqual(['blocked', 403]);
  });

  test('but not for a file of markdown', async () => {
    const site = await siteOf({ body: '# Short' });
    expect(await read(`${site.url}/short.md?raw=1`)).toMatchObject({ title: 'Short' });
    expect(site.received).toHaveLength(1);
  });
});

test('a page in markdown is cached like any other', async () => {
  const site = await siteOf({ body: MARKDOWN });
  const fetched = async () => (await fetchPages(server, site.url, {})).row;
  expect(await fetched()).toMatchObject({ cache_state: 'miss' });
  expect(await fetched()).toMatchObject({ cache_state: 'hit', title: 'The mill in markdown' });
  expect(site.received).toHaveLength(1);
});
