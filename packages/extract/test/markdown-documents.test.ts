import type { ContentFormat } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import { readPage } from './support/read.ts';

const URL = 'https://docs.example/guide/start';

const readMarkdown = (body: string | Uint8Array, format: ContentFormat = 'markdown') =>
  readPage({ body, format, url: URL, contentType: 'text/markdown; charset=utf-8' });

describe('front matter', () => {
  test('becomes facts, and is left out of the text', async () => {
    const page = await readMarkdown(
      `---
title: "Start: the \\"first\\" steps"
description: >
  What you need
  before the rest.
authors:
  - name: Ada Obi
    url: https://ada.example/
  - 'Li O''Neil'
date: 2026-03-02T10:00:00+01:00
lang: en_GB
canonical: /guide/
image: ../pump.png
tags: [pumps, "a, b", 'tides']  # for the menu
draft: false
nested:
  deep: { }
---

# Heading

Text.
`.replace('  deep: { }\n', '  deep: yes\n'),
    );
    expect(page).toMatchObject({
      title: 'Start: the "first" steps',
      description: 'What you need before the rest.',
      author: "Ada Obi, Li O'Neil",
      publish_date: '2026-03-02T09:00:00Z',
      language: 'en-GB',
      canonical_url: 'https://docs.example/guide/',
      thumbnail: 'https://docs.example/pump.png',
      content: '# Heading\n\nText.',
    });
    expect(page.metadata).toMatchObject({
      source: 'markdown',
      front_matter: {
        tags: ['pumps', 'a, b', 'tides'],
        draft: 'false',
        nested: { deep: 'yes' },
        authors: [{ name: 'Ada Obi', url: 'https://ada.example/' }, "Li O'Neil"],
      },
    });
  });

  test.each([
    ['that is not YAML', 'title: Pumps\n&anchor broken line'],
    ['that is a list', '- Pumps'],
    [
      'with aliases, of which a few lines make gigabytes',
      'a: &a [x, x]\nb: &b [*a, *a]\ntitle: *b',
    ],
  ])('%s is text', async (_, lines) => {
    const body = `---\n${lines}\n---\n\nText.`;
    const page = await readMarkdown(body);
    expect(page).toMatchObject({ title: null, content: body });
  });

  test.each([
    ['a colon in a text without quotes', 'title: Next: the guide', 'Next: the guide'],
    ['a comment', 'title: The mill # draft', 'The mill'],
    ['a text over two lines', 'title: The mill\n  and the river', 'The mill and the river'],
    ['Windows lines', 'title: The mill\r', 'The mill'],
    ['an odd key', '__proto__: x\ntitle: The mill', 'The mill'],
  ])('with %s is read', async (_, lines, title) => {
    expect((await readMarkdown(`---\n${lines}\n---\nText.`)).title).toBe(title);
  });

  test.each([
    ['without an end', '---\ntitle: x\n\nText.'],
    ['of nothing but a rule', '---\n\nText.'],
    ['below the first line', '\n\nText.\n\n---\ntitle: x\n---'],
  ])('%s is text', async (_, body) => {
    const page = await readMarkdown(body);
    expect(page).toMatchObject({ title: null, content: body.trim() });
    expect(page.metadata).toEqual({ source: 'markdown' });
  });

  test('nested a thousand times ends', async () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n');
    const page = await readMarkdown(`---\n${lines}\n${'- '.repeat(1_000)}x\n---\nText.`);
    expect(page.content).toContain('Text.');
  });

  test('after a byte order mark and in another charset is read', async () => {
    expect((await readMarkdown('\ufeff---\ntitle: Mühle\n---\nText.')).title).toBe('Mühle');
    const latin = Uint8Array.from(Buffer.from('---\ntitle: M\xfchle\n---\nText.', 'latin1'));
    const contentType = 'text/markdown; charset=iso-8859-1';
    expect((await readPage({ body: latin, contentType })).title).toBe('Mühle');
  });
});

describe('addresses', () => {
  test.each([
    ['[a](b)', '[a](https://docs.example/guide/b)'],
    [
      '[a](../b "title") and [c](/d)',
      '[a](https://docs.example/b "title") and [c](https://docs.example/d)',
    ],
    ['![pump](img/pump.png)', '![pump](https://docs.example/guide/img/pump.png)'],
    ['[![x](/i.png)](/to)', '[![x](https://docs.example/i.png)](https://docs.example/to)'],
    ['[a](/wiki/A_(b))', '[a](https://docs.example/wiki/A_%28b%29)'],
    ['[a][1]\n\n[1]: ../c "C"', '[a][1]\n\n[1]: https://docs.example/c "C"'],
    [
      '<a href="/x">y</a> <img src=\'z.png\'>',
      '<a href="https://docs.example/x">y</a> <img src=\'https://docs.example/guide/z.png\'>',
    ],
    ['[part](#part)', `[part](${URL}#part)`],
    ['[a](//cdn.example/b)', '[a](https://cdn.example/b)'],
  ])('%s becomes absolute', async (body, content) => {
    expect((await readMarkdown(`Text: ${body}`)).content).toBe(`Text: ${content}`);
  });

  test.each([
    ['an absolute address', '[a](HTTP://A.example/b) <https://c.example/>'],
    [
      'other schemes',
      '[a](mailto:a@b.example) [b](javascript:void(0)) ![c](data:image/png;base64,AA)',
    ],
    ['a code span', 'Write `[a](/b)`.'],
    ['fenced code', '```md\n[a](/b)\n```'],
    ['indented code', 'Write:\n\n    [a](/b)\n'],
    ['escaped brackets', '\\[a\\](/b)'],
    ['a footnote', 'Text.[^1]\n\n[^1]: /tmp is meant'],
    ['words in parentheses', 'f[0] (not a link), x](y'],
  ])('%s stays', async (_, body) => {
    expect((await readMarkdown(body)).content).toBe(body.trim());
  });

  test('an item of a list may be indented like code', async () => {
    const page = await readMarkdown('- one\n\n    [a](/b)\n');
    expect(page.content).toContain('[a](https://docs.example/b)');
  });

  test('are listed, each once', async () => {
    const page = await readMarkdown(
      '[a](/a) [again](/a) ![i](/i.png) <https://c.example/> [part](#x)\n\n[r]: /r\n\n<a href="/h">h</a><img src="/j.png">',
    );
    expect(page.links).toEqual([
      ...['https://docs.example/r', 'https://docs.example/a', 'https://c.example/'],
      'https://docs.example/h',
    ]);
    expect(page.images).toEqual(['https://docs.example/i.png', 'https://docs.example/j.png']);
  });
});

describe('as text', () => {
  test.each([
    ['headings', '# One #\n\nTwo\n===\n\n## Three', 'One #\n\nTwo\n\nThree'],
    ['emphasis', '**bold** *it* _em_ __b__ ~~gone~~', 'bold it em b gone'],
    [
      'marks that are text',
      '2 * 3, snake_case_name, *args, a ** b',
      '2 * 3, snake_case_name, *args, a ** b',
    ],
    [
      'links and images',
      '[The mill](/mill) ![a pump](/p.png) <https://c.example/>',
      'The mill  https://c.example/',
    ],
    ['links by reference', 'See [prices][1].\n\n[1]: /prices', 'See prices.'],
    ['an image in a link', '[![x](/i.png) words](/to)', ' words'],
    ['brackets that are text', 'a[0] and [x]', 'a[0] and [x]'],
    ['code', 'Use `a < b`:\n\n```js\nf([x](y))\n```', 'Use a < b:\n\nf([x](y))'],
    ['a quote', '> one\n> > two', 'one\ntwo'],
    ['a list', '- one\n- **two**', '- one\n- two'],
    ['a table', '| a | b |\n| --- | :-: |\n| 1 | 2 |', 'a | b\n1 | 2'],
    [
      'HTML and entities',
      '<b>fish</b> &amp; chips<br>now <!-- hidden --> &lt;',
      'fish & chips\nnow  <',
    ],
    ['escapes', '1\\. \\*not\\* \\[x\\]', '1. *not* [x]'],
    ['a rule', 'a\n\n---\n\nb', 'a\n\nb'],
  ])('%s', async (_, body, content) => {
    expect((await readMarkdown(body, 'text')).content).toBe(content.trim());
  });
});

test('HTML under the name of a markdown file is a page in HTML', async () => {
  const page = await readPage({
    url: 'https://code.example/blob/main/README.md',
    body: '<!doctype html><html><body><article><h1>Readme</h1><p>Words of the file.</p></article></body></html>',
  });
  expect(page.content).toBe('# Readme\n\nWords of the file.');
  const file = await readPage({
    url: 'https://raw.example/README.md',
    contentType: 'text/plain; charset=utf-8',
    body: '# Readme\n\n[more](docs/more.md)',
  });
  expect(file).toMatchObject({
    title: 'Readme',
    content: '# Readme\n\n[more](https://raw.example/docs/more.md)',
    metadata: { source: 'markdown' },
  });
});

test('a label with words behind it is text, and a definition of an address is not', async () => {
  const body =
    '# Talk\n\n[Speaker 1]: Hello everyone.\n\nSee [this][1].\n\n[1]: /one "The first"\n[2]: <two>';
  expect((await readMarkdown(body, 'text')).content).toBe(
    'Talk\n\n[Speaker 1]: Hello everyone.\n\nSee this.',
  );
  const { content, links } = await readMarkdown(body);
  expect(content).toContain('[Speaker 1]: Hello everyone.');
  expect(content).toContain('[1]: https://docs.example/one "The first"');
  expect(links).toEqual(['https://docs.example/one', 'https://docs.example/guide/two']);
});

test('three backticks around words in a line are code within prose, and open no block', async () => {
  const body = '# Setup\n\n```npm install```\n\nThen *run* it.\n\n```\na\n```b\n```\n\n*End*';
  const { content } = await readMarkdown(body, 'text');
  expect(content).toContain('Then run it.');
  expect(content).toMatch(/a\n```b\n+End$/);
});
