import { describe, expect, test } from 'vitest';
import { parseHtml } from '../src/dom/parse-html.ts';
import { createRemovals } from '../src/dom/tree.ts';
import { readForest, sumOf } from '../src/quality/forest.ts';
import { readPage } from './support/read.ts';
import { SENTENCES } from './support/sentences.ts';

const PARTS = ['Harbours', 'Turbines', 'Rivers', 'Coasts', 'Cables', 'Reports'];

const links = (name: string, count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `<li><a href="/${name}/${at}">${PARTS[at % PARTS.length]} ${at}</a></li>`,
  ).join('');
const paragraphs = SENTENCES.map((one) => `<p>${one} ${one.replace('The', 'Again, the')}</p>`);

/** A page of a news site: menus, a text, and what is usually below one. */
const newsPage = (text: string, below = ''): string => `<!doctype html><html lang="en"><head>
  <title>Power from the tides under the bridge | The Coast</title><meta property="og:type" content="article">
  <meta name="description" content="A station under a bridge makes power from the tides."></head><body>
  <header><a href="/">The Coast</a><nav><ul>${links('section', 40)}</ul></nav></header>
  <main><article><h1>Power from the tides under the bridge</h1>${text}</article>${below}</main>
  <footer><ul>${links('about', 30)}</ul><p>© 2026 The Coast. All rights reserved. Reproduction needs our consent.</p></footer>
  </body></html>`;

const contentOf = async (body: string, format: 'text' | 'markdown' = 'text'): Promise<string> =>
  (await readPage({ body, format, url: 'https://coast.example/2026/power-from-the-tides' }))
    .content ?? '';

describe('the content of a page with much around it', () => {
  test('is the headline and its text, in order, and nothing else', async () => {
    const content = await contentOf(newsPage(paragraphs.join('')));
    expect(content).toBe(
      [
        'Power from the tides under the bridge',
        ...SENTENCES.map((one) => `${one} ${one.replace('The', 'Again, the')}`),
      ].join('\n\n'),
    );
  });

  test('has its code, its table and the whole of a quotation', async () => {
    const table =
      '<table><tr><th>Year</th><th>Power</th></tr><tr><td>2024</td><td>3 MW</td></tr><tr><td>2025</td><td>5 MW</td></tr></table>';
    const quote = `<blockquote><p>${SENTENCES[3]}</p><p>— A. Person (@person) <a href="https://posts.example/1">May 3</a></p></blockquote>`;
    const code = '<pre><code>power = area * speed ** 3</code></pre>';
    const middle = [...paragraphs.slice(0, 4), table, code, quote, ...paragraphs.slice(4)];
    const content = await contentOf(newsPage(middle.join('')), 'markdown');
    expect(content).toContain('| 2025 | 5 MW |');
    expect(content).toContain('```\npower = area * speed ** 3\n```');
    expect(content).toContain('> — A. Person (@person)');
  });

  test('does not have comments, a consent panel or other articles', async () => {
    const comments = `<section class="comments"><h2>Comments</h2>${SENTENCES.map(
      (one, at) => `<div class="comment"><b>Reader ${at}</b><p>I do not agree. ${one}</p></div>`,
    ).join('')}</section>`;
    const others = `<section class="related"><h2>Read next</h2><ul>${links('article', 12)}</ul></section>`;
    const consent = `<div id="cookie-consent" role="dialog"><p>We and our 612 partners store cookies on your device
      and read them, for ads, and ask for your consent. You can withdraw it at any time.</p></div>`;
    const content = await contentOf(newsPage(paragraphs.join(''), comments + others + consent));
    expect(content).toContain(SENTENCES[7]);
    for (const other of ['I do not agree', 'Read next', 'partners', 'Reader 1']) {
      expect(content).not.toContain(other);
    }
  });
});

test('what is removed for now is put back where it was', () => {
  const { body } = parseHtml(
    '<body><p>One <b>two</b> three</p><div><i>four</i></div>five<ul><li>six</li></ul></body>',
  );
  const before = body.innerHTML;
  const { remove, undo } = createRemovals();
  for (const name of ['b', 'p', 'li']) {
    for (const element of body.querySelectorAll(name)) remove(element);
  }
  for (const node of body.childNodes) remove(node);
  expect(body.innerHTML).toBe('');
  undo();
  expect(body.innerHTML).toBe(before);
});

describe('a model', () => {
  const text = 'words\tlinks\n0.5\n0:10 1:0.25 1 2 4\n8\n';

  test('adds up what its trees say', () => {
    const forest = readForest(text, ['words', 'links']);
    expect(sumOf(forest, Float32Array.of(10, 0.25))).toBe(9.5);
    expect(sumOf(forest, Float32Array.of(10, 0.5))).toBe(10.5);
    expect(sumOf(forest, Float32Array.of(11, 0))).toBe(12.5);
  });

  test('for other inputs is not used', () => {
    expect(() => readForest(text, ['words', 'images'])).toThrow('train it again');
  });
});
