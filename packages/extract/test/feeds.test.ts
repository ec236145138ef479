import { describe, expect, test } from 'vitest';
import { readPage } from './support/read.ts';

const RSS = `<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:content="c" xmlns:dc="d"><channel><title>Tide &amp; Time</title><link>https://site.example/</link><description>Notes</description><language>en</language>
<item><title><![CDATA[One <em>more</em>]]></title><link>/one</link><pubDate>Tue, 04 Feb 2025 08:00:00 GMT</pubDate><dc:creator>Ada</dc:creator><description>short</description><content:encoded><![CDATA[<p>Body with <a href="x">a link</a>.</p><script>no()</script>]]></content:encoded></item>
<item><title>Two</title><guid>https://site.example/two</guid></item></channel></rss>`;

const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>Logbuch</title><updated>2025-02-01T00:00:00Z</updated><entry><title>Eins</title><link rel="edit" href="/edit"/><link href="/eins"/><updated>2025-02-01T07:00:00Z</updated><author><name>Bo</name></author><summary type="html">&lt;b&gt;Kurz&lt;/b&gt; gesagt</summary></entry></feed>`;

const JSON_FEED = JSON.stringify({
  version: 'https://jsonfeed.org/version/1.1',
  title: 'Log',
  items: [
    {
      url: 'https://site.example/j',
      title: 'J',
      content_html: '<p>Text</p>',
      authors: [{ name: 'Cy' }],
    },
  ],
});

describe('feeds', () => {
  test('RSS is a list of its entries', async () => {
    const page = await readPage({ body: RSS, contentType: 'application/rss+xml' });
    expect(page.content).toBe(
      '# Tide & Time\n\nNotes\n\n## [One more](https://site.example/one)\n\n2025-02-04T08:00:00Z · Ada\n\nBody with [a link](https://site.example/x).\n\n## [Two](https://site.example/two)',
    );
    expect(page).toMatchObject({
      title: 'Tide & Time',
      language: 'en',
      links: ['https://site.example/one', 'https://site.example/two'],
    });
  });

  test.each(['application/atom+xml', 'text/html', null])(
    'Atom is, under %s',
    async (contentType) => {
      const page = await readPage({ body: ATOM, contentType, format: 'text' });
      expect(page.content).toBe(
        'Logbuch\n\nEins\n\n2025-02-01T07:00:00Z · Bo\n\nhttps://site.example/eins\n\nKurz gesagt',
      );
      expect(page.language).toBe('de');
    },
  );

  test('a CDATA section whose marks are escaped is read', async () => {
    const escaped = (text: string) => `&lt;![CDATA[${text}]]&gt;`;
    const { content, title } = await readPage({
      body: `<rss version="2.0"><channel><title>${escaped('Log')}</title><item><title>${escaped('One &amp; two')}</title><description>${escaped('&lt;p&gt;A &lt;b&gt;text&lt;/b&gt;.&lt;/p&gt;')}</description></item></channel></rss>`,
      contentType: 'application/rss+xml',
    });
    expect(title).toBe('Log');
    expect(content).toBe('# Log\n\n## One & two\n\nA **text**.');
  });

  test('JSON feeds are', async () => {
    const page = await readPage({ body: JSON_FEED, contentType: 'application/feed+json' });
    expect(page.content).toBe('# Log\n\n## [J](https://site.example/j)\n\nCy\n\nText');
  });

  const ITEMS = (items: string, namespaces = '') =>
    `<rss version="2.0" ${namespaces}><channel><title>Log</title>${items}</channel></rss>`;
  const ENTRIES = (entries: string, attributes = '') =>
    `<feed xmlns="http://www.w3.org/2005/Atom" ${attributes}><title>Log</title>${entries}</feed>`;
  const rss = (items: string, namespaces?: string) =>
    readPage({ body: ITEMS(items, namespaces), contentType: 'application/rss+xml' });
  const atom = (entries: string, attributes?: string) =>
    readPage({ body: ENTRIES(entries, attributes), contentType: 'application/atom+xml' });

  test.each([
    [
      'Atom',
      '<x:feed xmlns:x="http://www.w3.org/2005/Atom"><x:title>Quay</x:title><x:entry><x:title>Crane</x:title><x:link href="https://site.example/crane"/><x:summary>It turns.</x:summary></x:entry></x:feed>',
    ],
    [
      'RSS 1.0',
      '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://purl.org/rss/1.0/"><x:channel><x:title>Quay</x:title></x:channel><x:item><x:title>Crane</x:title><x:link>https://site.example/crane</x:link><x:description>It turns.</x:description></x:item></r:RDF>',
    ],
    [
      'RSS 1.0 without prefixes',
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>Quay</title></channel><item><title>Crane</title><link>https://site.example/crane</link><description>It turns.</description></item></rdf:RDF>',
    ],
  ])('%s is known by its namespace, not by a prefix', async (_name, body) => {
    for (const contentType of ['application/xml', 'text/html', null]) {
      const page = await readPage({ body, contentType });
      expect(page.title).toBe('Quay');
      expect(page.content).toBe('# Quay\n\n## [Crane](https://site.example/crane)\n\nIt turns.');
    }
  });

  test('elements of other namespaces are known by theirs', async () => {
    const page = await rss(
      '<item><title>A</title><link>https://site.example/a</link><who:creator>Ada</who:creator><full:encoded>&lt;p&gt;All of it.&lt;/p&gt;</full:encoded></item>',
      'xmlns:who="http://purl.org/dc/elements/1.1/" xmlns:full="http://purl.org/rss/1.0/modules/content/"',
    );
    expect(page.content).toContain('Ada\n\nAll of it.');
  });

  test('Atom elements in RSS count', async () => {
    const page = await rss(
      '<item><title>A</title><a:link href="https://site.example/a"/><a:updated>2025-03-01T10:00:00Z</a:updated><a:author><a:name>Ada</a:name></a:author><a:summary type="html">&lt;b&gt;In&lt;/b&gt; short</a:summary></item>',
      'xmlns:a="http://www.w3.org/2005/Atom"',
    );
    expect(page.content).toContain(
      '## [A](https://site.example/a)\n\n2025-03-01T10:00:00Z · Ada\n\n**In** short',
    );
  });

  test.each([
    ['<guid isPermaLink="false">https://site.example/id/7</guid>', '## A'],
    ['<guid>tag:site.example,2025:7</guid>', '## A'],
    ['<guid>https://site.example/7</guid>', '## [A](https://site.example/7)'],
    ['<guid isPermaLink="true">https://site.example/7</guid>', '## [A](https://site.example/7)'],
    ['<guid>https://site.example/7</guid><link>/8</link>', '## [A](https://site.example/8)'],
  ])('%s gives the heading %s', async (elements, heading) => {
    const page = await rss(`<item><title>A</title>${elements}</item>`);
    expect(page.content).toBe(`# Log\n\n${heading}`);
  });

  test.each([
    ['Wed, 05 Mar 2025 10:00:00 EST', '2025-03-05T15:00:00Z'],
    ['5 Mar 2025 10:00 PDT', '2025-03-05T17:00Z'],
    ['Wed, 5 Mar 2025 10:00:00 UT', '2025-03-05T10:00:00Z'],
    ['05 Mar 25 10:00:00 +0130', '2025-03-05T08:30:00Z'],
    ['Wednesday, 05-Mar-25 10:00:00 GMT', '2025-03-05T10:00:00Z'],
    ['Wed, 05 Mar 2025 10:00:00 +0000 (UTC)', '2025-03-05T10:00:00Z'],
    ['Wed, 05 Mar 2025 10:00:00 CET', '2025-03-05'],
  ])('the date %s is %s', async (written, date) => {
    const page = await rss(`<item><title>A</title><pubDate>${written}</pubDate></item>`);
    expect(page.content).toBe(`# Log\n\n## A\n\n${date}`);
  });

  test('a group of media has a text and a picture', async () => {
    const page = await atom(
      '<entry><title>Film</title><link href="https://site.example/f"/><m:group><m:description>How the lock works.\nIn two parts.</m:description><m:thumbnail url="/f.jpg"/></m:group></entry>',
      'xmlns:m="http://search.yahoo.com/mrss/"',
    );
    expect(page.content).toContain('How the lock works.\nIn two parts.');
    expect(page.images).toEqual(['https://site.example/f.jpg']);
  });

  test.each([
    [
      'type="text"',
      'The &lt;details&gt; element &amp;amp; more',
      'The \\<details> element \\&amp; more',
    ],
    ['', 'a &lt; b', 'a < b'],
    ['type="html"', 'Fish &amp;amp; &lt;em&gt;chips&lt;/em&gt;', 'Fish & chips'],
    [
      'type="xhtml"',
      '<div xmlns="http://www.w3.org/1999/xhtml">Fish &amp; <em>chips</em></div>',
      'Fish & chips',
    ],
  ])('a title with %s is what Atom says it is', async (attributes, written, title) => {
    const page = await atom(`<entry><title ${attributes}>${written}</title></entry>`);
    expect(page.content).toBe(`# Log\n\n## ${title}`);
  });

  test.each([
    ['Using the &lt;template&gt; element', 'Using the \\<template> element'],
    ['Map&lt;K, V&gt; is new', 'Map\\<K, V> is new'],
    ['&lt;b&gt;New&lt;/b&gt; &amp;amp; old', 'New & old'],
    ['Q&amp;A', 'Q&A'],
  ])('a title of RSS may be HTML: %s', async (written, title) => {
    expect((await rss(`<item><title>${written}</title></item>`)).content).toBe(
      `# Log\n\n## ${title}`,
    );
  });

  test('addresses follow the bases that elements declare', async () => {
    const page = await atom(
      '<entry xml:base="b/"><title>A</title><link href="c"/><content type="xhtml" xml:base="d/"><div xmlns="http://www.w3.org/1999/xhtml"><a href="e">more</a></div></content></entry>',
      'xml:base="https://site.example/a/"',
    );
    expect(page.content).toContain('[A](https://site.example/a/b/c)');
    expect(page.content).toContain('[more](https://site.example/a/b/d/e)');
  });

  test('a feed that is not well-formed is read as far as it can be', async () => {
    const page = await rss(
      '<item><title>Fish & chips &nbsp;&eacute;</title><link>https://site.example/?a=1&b=2</link></item>',
    );
    expect(page.content).toBe('# Log\n\n## [Fish & chips é](https://site.example/?a=1&b=2)');
  });

  test('plain text of a JSON feed stays plain', async () => {
    const body = JSON.stringify({
      version: 'https://jsonfeed.org/version/1',
      title: 'Types & more',
      items: [
        { id: '1', content_text: 'List<T> of\n- a < b\n&amp; c' },
        { id: 'https://site.example/2', title: 'Two', summary: '<b> is bold' },
      ],
    });
    const page = await readPage({ body, contentType: 'application/json' });
    expect(page.content).toBe(
      '# Types & more\n\n## Untitled\n\nList\\<T> of\n\\- a < b\n\\&amp; c\n\n## [Two](https://site.example/2)\n\n\\<b> is bold',
    );
  });

  test('authors, descriptions and names of lists are text, also at the start of a line', async () => {
    const feed = `<rss version="2.0"><channel><title>Log</title><description># 1 in *tides*</description><item><title>- A</title><author>1. Ada &lt;b&gt;</author></item></channel></rss>`;
    const { content } = await readPage({ body: feed, contentType: 'application/rss+xml' });
    expect(content).toBe('# Log\n\n\\# 1 in \\*tides\\*\n\n## - A\n\n1\\. Ada \\<b>');
    const list =
      '<opml><body><outline text="# Quay"><outline text="+ 1" xmlUrl="https://site.example/f"/></outline></body></opml>';
    const { content: links } = await readPage({ body: list, contentType: 'text/x-opml' });
    expect(links).toBe('- \\# Quay\n  - [+ 1](https://site.example/f)');
  });

  test('of a feed with more than 500 entries, the first are read, and a remark says so', async () => {
    const page = await rss('<item><title>A</title></item>'.repeat(501));
    expect(page.content?.match(/## A/g)).toHaveLength(500);
    expect(page.remarks).toMatchObject([{ message: expect.stringContaining('first 500') }]);
  });
});

describe('lists of links', () => {
  test('a sitemap is one, with the titles of news', async () => {
    const body = `<?xml version="1.0"?><s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:n="http://www.google.com/schemas/sitemap-news/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<s:url><s:loc> https://site.example/a?b=1&amp;c=2 </s:loc><s:lastmod>2025-03-01</s:lastmod><image:image><image:loc>https://site.example/a.png</image:loc></image:image></s:url>
<s:url><s:loc>https://site.example/d</s:loc><n:news xmlns:news="x"><n:publication_date>2025-03-02T08:00:00Z</n:publication_date><n:title>007 returns</n:title></n:news></s:url></s:urlset>`;
    const page = await readPage({ body, contentType: 'text/xml' });
    expect(page.content).toContain(
      '- [https://site.example/a?b=1&c=2](https://site.example/a?b=1&c=2) · 2025-03-01',
    );
    expect(page.links).toEqual(['https://site.example/a?b=1&c=2', 'https://site.example/d']);
  });

  test('a list of sitemaps is one', async () => {
    const body =
      '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>https://site.example/1.xml</loc></sitemap></sitemapindex>';
    const page = await readPage({ body, contentType: null, format: 'text' });
    expect(page.content).toBe('- https://site.example/1.xml');
  });

  test('OPML is one, with its levels', async () => {
    const body = `<opml version="2.0"><head><title>Ports &amp; piers</title></head><body><outline text="North"><outline text="Quay" type="rss" xmlUrl="https://quay.example/feed" htmlUrl="https://quay.example/"/><outline title="Pier" text="p" xmlUrl="https://pier.example/feed"/></outline></body></opml>`;
    const page = await readPage({ body, contentType: 'text/x-opml' });
    expect(page.title).toBe('Ports & piers');
    expect(page.content).toBe(
      '# Ports & piers\n\n- North\n  - [Quay](https://quay.example/) · https://quay.example/feed\n  - [Pier](https://pier.example/feed)',
    );
    expect(page.links).toEqual([
      'https://quay.example/',
      'https://quay.example/feed',
      'https://pier.example/feed',
    ]);
  });

  test('other XML stays as it is', async () => {
    const body = '<?xml version="1.0"?><gauges><gauge id="7">3.5</gauge></gauges>';
    const page = await readPage({ body, contentType: 'application/xml' });
    expect(page.content).toBe(`\`\`\`xml\n${body}\n\`\`\``);
  });
});
