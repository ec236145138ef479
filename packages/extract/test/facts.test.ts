import { describe, expect, test } from 'vitest';
import { readPage } from './support/read.ts';

const page = (head: string, body = '<p>Text.</p>') =>
  `<!doctype html><html lang="de"><head>${head}</head><body>${body}</body></html>`;

describe('the metadata of a page', () => {
  test('comes from JSON-LD first', async () => {
    const data = {
      '@context': 'https://schema.org',
      '@graph': [
        { '@type': 'WebSite', name: 'Site' },
        {
          '@type': 'NewsArticle',
          headline: 'Real headline',
          author: [{ name: 'A. One' }, { name: 'B. Two' }],
          datePublished: '2025-02-03T10:00:00+01:00',
          image: [{ url: '/lead.jpg' }],
        },
      ],
    };
    const read = await readPage(
      page(
        `<title>Other - Site</title><meta name="author" content="C"><script type="application/ld+json">${JSON.stringify(data)}</script>`,
      ),
    );
    expect(read).toMatchObject({
      title: 'Real headline',
      author: 'A. One, B. Two',
      publish_date: '2025-02-03T09:00:00Z',
      thumbnail: 'https://site.example/lead.jpg',
      structured: { '@graph': data['@graph'] },
      language: 'de',
    });
  });

  test('comes from meta elements and links', async () => {
    const read = await readPage(
      page(
        '<title>T</title><meta property="og:title" content="Shared"><meta name="description" content="About &amp; more"><meta property="article:published_time" content="2025-01-02"><meta property="og:image" content="/i.png"><link rel="shortcut icon" href="fav.ico"><link rel="canonical" href="/canon"><meta name="keywords" content="a"><meta name="keywords" content="b">',
      ),
    );
    expect(read).toMatchObject({
      title: 'Shared',
      description: 'About & more',
      publish_date: '2025-01-02',
      thumbnail: 'https://site.example/i.png',
      favicon: 'https://site.example/path/fav.ico',
      canonical_url: 'https://site.example/canon',
      metadata: { description: 'About & more', keywords: ['a', 'b'] },
    });
  });

  test('is null when it is missing, and the address is the one that answered', async () => {
    const read = await readPage('<html><body><p>Text.</p></body></html>');
    expect(read).toMatchObject({
      title: null,
      author: null,
      publish_date: null,
      favicon: null,
      language: null,
      metadata: null,
      structured: null,
      canonical_url: 'https://site.example/path/page.html',
      cache_state: 'miss',
      js_rendered: false,
    });
  });

  test.each([
    ['Harbour wall - The Courier', 'Harbour wall', 'Harbour wall'],
    ['The Courier | Harbour wall', 'Harbour wall', 'Harbour wall'],
    ['C++ - a history', 'The site', 'C++ - a history'],
    ['Part 2: Return', 'Part 2: Return', 'Part 2: Return'],
    ['', 'Only heading', 'Only heading'],
  ])('title %j over headline %j is %j', async (title, heading, expected) => {
    const read = await readPage(page(`<title>${title}</title>`, `<h1>${heading}</h1><p>Text.</p>`));
    expect(read.title).toBe(expected);
  });

  test('links, images and media are absolute and come once', async () => {
    const read = await readPage(
      page(
        '',
        '<nav><a href="/a">a</a></nav><p>Text <a href="b#x">b</a> <a href="/a">a</a> <a href="#top">t</a> <a href="mailto:x@y.example">m</a></p><img src="/i.png"><img src="/i.png"><video><source src="v.mp4"></video><audio src="/s.mp3"></audio>',
      ),
    );
    expect(read.links).toEqual(['https://site.example/a', 'https://site.example/path/b#x']);
    expect(read.images).toEqual(['https://site.example/i.png']);
    expect(read.media).toEqual(['https://site.example/path/v.mp4', 'https://site.example/s.mp3']);
  });

  test('the HTML is the content, without anything that runs', async () => {
    const read = await readPage(
      page(
        '',
        '<nav>Menu</nav><p onclick="x()" class="c">Text <a href="/a" onmouseover="y()">a</a> <a href="javascript:z()">b</a></p><script>q()</script>',
      ),
    );
    expect(read.html).toContain('<p>Text <a href="https://site.example/a">a</a> <a>b</a></p>');
    expect(read.html).not.toMatch(/script|onclick|onmouseover|Menu/);
  });

  test('names that are special to JavaScript are plain names', async () => {
    const read = await readPage(
      page('<meta name="__proto__" content="x"><meta name="constructor" content="y">'),
    );
    expect(Object.entries(read.metadata ?? {})).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });
});
