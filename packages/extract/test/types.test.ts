import { composePdf } from '@trawl/test-support/pdf';
import { describe, expect, test } from 'vitest';
import { read, readPage } from './support/read.ts';

const HTML = '<!doctype html><html><body><h1>Here</h1><p>Some text.</p></body></html>';

describe('what a body is', () => {
  test.each([
    ['no type', null],
    ['octet-stream', 'application/octet-stream'],
    ['plain text', 'text/plain'],
    ['XHTML', 'application/xhtml+xml'],
    ['a picture', 'image/png'],
  ])('HTML is read as HTML under %s', async (_, contentType) => {
    expect((await readPage({ body: HTML, contentType })).content).toBe('# Here\n\nSome text.');
  });

  test('markdown and plain text stay as they are', async () => {
    const body = '# Title\n\n- a\n- b *c*\n';
    const markdown = await readPage({ body, contentType: 'text/markdown' });
    expect(markdown).toMatchObject({ content: body.trim(), title: 'Title' });
    const text = await readPage({ body: 'a < b\n  c', contentType: 'text/plain' });
    expect(text).toMatchObject({ content: 'a < b\n  c', title: null, content_type: 'text/plain' });
  });

  test('text with the type HTML keeps its lines', async () => {
    expect((await readPage('one line\nanother')).content).toBe('one line\nanother');
  });

  test('JSON comes whole, with its object', async () => {
    const body = '{"title":"Gauges","levels":[1,2]}';
    const page = await readPage({ body, contentType: 'application/json' });
    expect(page.content).toBe(`\`\`\`json\n${body}\n\`\`\``);
    expect(page).toMatchObject({ title: 'Gauges', structured: JSON.parse(body) });
    const text = await readPage({ body, contentType: 'text/html', format: 'text' });
    expect(text.content).toBe(body);
  });

  test.each([
    ['a picture', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'image/png'],
    ['an archive', 'PK\x03\x04\x14\0\0\0\x08\0', 'application/zip'],
    ['a picture under a lying type', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'text/html'],
  ])('%s cannot be read', async (_, bytes, contentType) => {
    const verdict = await read({ body: Buffer.from(bytes, 'latin1'), contentType });
    expect(verdict).toMatchObject({ code: 'unsupported_type', httpStatus: 200 });
  });

  test('HTML with stray zeros is HTML without them', async () => {
    const { content, raw_html } = await readPage(HTML.replaceAll('e', 'e\0'));
    expect(content).toBe('# Here\n\nSome text.');
    expect(raw_html).toBe(HTML);
  });

  test.each(['', '  \r\n ', '\ufeff'])('nothing is an empty page: %j', async (body) => {
    expect(await read(body)).toMatchObject({ code: 'empty_page' });
  });

  test('a shell without text is a page with its source, for the diagnosis', async () => {
    const body = '<html><body><div id="root"></div><script src="/app.js"></script></body></html>';
    expect(await readPage(body)).toMatchObject({ content: '', raw_html: body });
  });
});

describe('PDF', () => {
  const pdf = composePdf({
    title: 'Tide tables',
    pages: [
      ['24 Tide tables', '12 High water at Harbour', '12 comes at noon.'],
      ['12 Second page.'],
    ],
  });

  test('is read with its facts, whatever its type says', async () => {
    for (const contentType of ['application/pdf', 'text/html', null]) {
      const page = await readPage({ body: pdf.slice(), contentType });
      expect(page).toMatchObject({ page_count: 2, pdf_mode: 'parsed', title: 'Tide tables' });
      // it has the date of its creation, not of its publication
      expect(page.publish_date).toBeNull();
      expect(page.content).toBe(
        '## Tide tables\n\nHigh water at Harbour\ncomes at noon.\n\nSecond page.',
      );
    }
  });

  test('that is broken or not a PDF cannot be read', async () => {
    const broken = pdf.slice(0, 60);
    for (const body of [broken, Buffer.from('%PDF-1.7 nothing more')]) {
      expect(await read({ body, contentType: 'application/pdf' })).toMatchObject({
        code: 'unsupported_type',
        reason: 'unreadable_pdf',
      });
    }
  });

  test('without text is empty', async () => {
    const body = composePdf({ title: 'Scan', pages: [[]] });
    expect(await read({ body, contentType: 'application/pdf' })).toMatchObject({
      code: 'empty_page',
    });
  });
});
