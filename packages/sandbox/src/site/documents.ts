import zlib from 'node:zlib';
import { encryptedPdf, pdfOf } from './pdf.ts';
import { fixed, htmlPage, type SitePage, STORY, STORY_HTML } from './visit.ts';

/** What is not HTML, or is not labelled as such. */

const PAGES = STORY.map((sentence, index) => [`Chapter ${index + 1}`, sentence]);
const PDF_TITLE = 'Notes of a tide mill';
const PDF = pdfOf(PAGES, PDF_TITLE);
const PDF_TYPE = { 'content-type': 'application/pdf' };
const ARTICLE = htmlPage('The tide mill', `<article><h1>The tide mill</h1>${STORY_HTML}</article>`);

/** One transparent pixel, and an archive without a file in it. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const ZIP = Buffer.concat([Buffer.from('PK\u0005\u0006', 'latin1'), Buffer.alloc(18)]);

const RSS = `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>Mill notes</title><link>https://mill.example.org/</link><description>News of the tide mill</description>
<item><title>High water</title><link>https://mill.example.org/high-water</link><pubDate>Thu, 11 Jun 2026 09:00:00 GMT</pubDate><description>&lt;p&gt;${STORY[0]}&lt;/p&gt;</description></item>
<item><title>Grain and hours</title><link>https://mill.example.org/grain</link><description><![CDATA[<p>${STORY[1]}</p>]]></description></item>
</channel></rss>
`;

const ATOM = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Mill notes</title><id>urn:mill</id><updated>2026-06-11T09:00:00Z</updated>
<entry><title>High water</title><id>urn:mill:1</id><updated>2026-06-11T09:00:00Z</updated><link href="https://mill.example.org/high-water"/><summary>${STORY[0]}</summary></entry>
<entry><title>Grain and hours</title><id>urn:mill:2</id><updated>2026-06-10T09:00:00Z</updated><link href="https://mill.example.org/grain"/><content type="html">&lt;p&gt;${STORY[1]}&lt;/p&gt;</content></entry>
</feed>
`;

const DATA = { mill: 'Port Ellery', years: 12, notes: STORY };

export const DOCUMENTS: readonly SitePage[] = [
  fixed('/pdf', 'a PDF of three pages with text', PDF, PDF_TYPE),
  fixed('/pdf-unlabelled', 'the PDF as application/octet-stream', PDF, {
    'content-type': 'application/octet-stream',
  }),
  fixed('/pdf-encrypted', 'a PDF with a password', encryptedPdf(PAGES, PDF_TITLE), PDF_TYPE),
  fixed('/pdf-broken', 'half of a PDF', PDF.subarray(0, Math.floor(PDF.length / 2)), PDF_TYPE),
  fixed('/pdf-empty', 'a PDF whose one page has no text', pdfOf([[]], PDF_TITLE), PDF_TYPE),
  fixed('/pdf-gzip', 'the PDF, gzipped', zlib.gzipSync(PDF), {
    ...PDF_TYPE,
    'content-encoding': 'gzip',
  }),
  fixed('/text', 'plain text', `${STORY.join('\n\n')}\n`, {
    'content-type': 'text/plain; charset=utf-8',
  }),
  fixed('/markdown', 'markdown', `# The tide mill\n\n${STORY.join('\n\n')}\n`, {
    'content-type': 'text/markdown; charset=utf-8',
  }),
  fixed('/json', 'JSON', JSON.stringify(DATA), { 'content-type': 'application/json' }),
  fixed('/json-broken', 'says JSON and ends in the middle', JSON.stringify(DATA).slice(0, -20), {
    'content-type': 'application/json',
  }),
  fixed('/csv', 'CSV', 'year,height\n2025,4.1\n2026,4.3\n', { 'content-type': 'text/csv' }),
  fixed('/rss', 'an RSS feed', RSS, { 'content-type': 'application/rss+xml' }),
  fixed('/atom', 'an Atom feed', ATOM, { 'content-type': 'application/atom+xml' }),
  fixed('/rss-as-xml', 'the RSS feed as text/xml', RSS, { 'content-type': 'text/xml' }),
  fixed('/image', 'a picture', PNG, { 'content-type': 'image/png' }),
  fixed('/image-as-html', 'a picture labelled as HTML', PNG, { 'content-type': 'text/html' }),
  fixed('/zip', 'an archive', ZIP, { 'content-type': 'application/zip' }),
  fixed('/html-as-text', 'HTML labelled as plain text', ARTICLE, { 'content-type': 'text/plain' }),
  fixed('/html-unlabelled', 'HTML without a content type', ARTICLE, {}),
  fixed('/html-odd-label', 'HTML whose content type is in capitals and quoted', ARTICLE, {
    'content-type': 'TEXT/HTML; Charset="UTF-8"',
  }),
  fixed('/xhtml', 'an article as application/xhtml+xml', ARTICLE, {
    'content-type': 'application/xhtml+xml',
  }),
  fixed('/attachment', 'an article to be saved as a file', ARTICLE, {
    'content-type': 'text/html; charset=utf-8',
    'content-disposition': 'attachment; filename="mill.html"',
  }),
];
