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

  test('JSON feeds are', async () => {
    const page = await readPage({ body: JSON_FEED, contentType: 'application/feed+json' });
    expect(page.content).toBe('# Log\n\n## [J](https://site.example/j)\n\nCy\n\nText');
  });

  test('other XML stays as it is', async () => {
    const body = '<?xml version="1.0"?><gauges><gauge id="7">3.5</gauge></gauges>';
    const page = await readPage({ body, contentType: 'application/xml' });
    expect(page.content).toBe(`\`\`\`xml\n${body}\n\`\`\``);
  });
});
