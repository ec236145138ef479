import { describe, expect, test } from 'vitest';
import { readPage } from './support/read.ts';

/** A short page of a library with one part of interest. */
const LEAD =
  '<p>The library keeps its loans in a small database, and this page explains how a reader can work with it.</p>';
const END =
  '<p>All examples were run with the second edition, and they should work with later ones too.</p>';

async function contentOf(part: string): Promise<string> {
  const body = `<!doctype html><title>Loans</title><body><main><h1>Loans</h1>${LEAD}${part}${END}</main>`;
  return (await readPage(body)).content ?? '';
}

const SENTENCE = 'A card lapses after three years unless the reader asks for another one.';

describe('a class or an id alone leaves nothing out', () => {
  test.each([
    'pagination',
    'sidebar',
    'social',
    'newsletter',
    'footer',
    'comments',
    'toc',
    'banner',
    'modal',
    'popup',
    'menu',
    'login',
    'cookies',
    'tags',
    'share',
    'promo',
    'widgets',
    'breadcrumbs',
    'author-info',
    'dropdown',
    'ads',
    'tooltip',
  ])('a section of the documentation with the id %s', async (name) => {
    const content = await contentOf(
      `<section id="${name}"><h2>How it works</h2><p>${SENTENCE}</p></section>`,
    );
    expect(content).toContain(`## How it works\n\n${SENTENCE}`);
  });

  test.each(['pager', 'subscribe', 'copyright', 'bio', 'overlay'])(
    'a paragraph in an element with the class %s',
    async (name) => {
      expect(await contentOf(`<div class="${name}"><p>${SENTENCE}</p></div>`)).toContain(SENTENCE);
    },
  );

  test('a table, code, or steps below a heading', async () => {
    const content =
      await contentOf(`<div id="pagination"><table><tr><th>Name</th><th>Default</th></tr><tr><td>page</td>
      <td>1</td></tr></table></div><div class="toolbar"><pre>lib --page 2</pre></div>
      <section id="login"><h2>To log in</h2><ol><li>Open the app</li><li>Type your number</li></ol></section>`);
    expect(content).toContain('| page | 1 |');
    expect(content).toContain('lib --page 2');
    expect(content).toContain('1. Open the app\n2. Type your number');
  });

  test('a word of a sentence', async () => {
    expect(await contentOf('<p>The <span class="bio">biology</span> hall is cold.</p>')).toContain(
      'The biology hall is cold.',
    );
  });
});

describe('with a second sign it is left out', () => {
  test.each([
    [
      'a form that asks for an address',
      `<div class="newsletter"><h3>News</h3><p>${SENTENCE}</p><form><input><button>Go</button></form></div>`,
    ],
    [
      'words that only such a part says',
      '<div class="copyright"><p>© 2026 The Library of the Town. All rights reserved, also those of translation.</p></div>',
    ],
    [
      'entries that lead to other pages',
      `<div class="related">${[1, 2, 3].map((at) => `<div><a href="/${at}">Title ${at}</a><p>It tells more about the loans of the library.</p></div>`).join('')}</div>`,
    ],
    ['a role', `<div role="dialog" class="modal"><p>${SENTENCE}</p></div>`],
  ])('%s', async (_name, part) => {
    const content = await contentOf(part);
    expect(content).toContain('All examples were run');
    expect(content).not.toContain('A card lapses');
    expect(content).not.toContain('rights reserved');
    expect(content).not.toContain('It tells more');
  });

  test('a place next to the text', async () => {
    const { content } = await readPage(
      `<title>Loans</title><main><h1>Loans</h1>${LEAD}${END}</main><div class="sidebar"><p>${SENTENCE}</p></div>`,
    );
    expect(content).toContain('All examples were run');
    expect(content).not.toContain('A card lapses');
  });
});

describe('what a reader opens is there', () => {
  test('the buttons of headings, and what they open', async () => {
    const content =
      await contentOf(`<h2><button aria-expanded="false" aria-controls="a">How long is a loan?</button></h2>
      <div id="a" hidden>Four weeks.</div>
      <div class="faq"><button><h3>Who may borrow?</h3></button><div class="panel" style="display:none">Anyone.</div></div>
      <button class="accordion">May I renew it?</button><div class="panel"><p>Yes, twice.</p></div>`);
    expect(content).toContain('## How long is a loan?\n\nFour weeks.');
    expect(content).toContain('### Who may borrow?\n\nAnyone.');
    expect(content).toContain('May I renew it?\n\nYes, twice.');
  });

  test('not the buttons that do something', async () => {
    const content =
      await contentOf(`<h2>Renewal <button>Copy link</button></h2><p>${SENTENCE} <button>Share</button></p>
      <button aria-expanded="false" aria-controls="m">Menu</button><ul id="m" role="menu"><li>Print</li></ul>`);
    expect(content).toContain(`## Renewal\n\n${SENTENCE}\n\nAll`);
  });

  test.each([
    ['a tab with code', '<div role="tabpanel" hidden><pre>lib.exe renew</pre></div>'],
    [
      'a tab that a link opens',
      '<a data-toggle="tab" href="#t">T</a><div id="t" style="display:none"><pre>lib.exe renew</pre></div>',
    ],
    ['a section that a search finds', '<div hidden="until-found">lib.exe renew</div>'],
    [
      'what follows a heading',
      '<h3>Windows</h3><div style="height:0; display: none">lib.exe renew</div>',
    ],
    ['a definition', '<dl><dt>Windows</dt><dd class="hidden">lib.exe renew</dd></dl>'],
    ['closed details', '<details><summary>Windows</summary>lib.exe renew</details>'],
    [
      'a region with a label',
      '<b id="w">Windows</b><div role="region" aria-labelledby="w" hidden>lib.exe renew</div>',
    ],
    [
      'text that is only not read out',
      '<div aria-hidden="true"><p>With lib.exe renew, a loan goes on for three weeks.</p></div>',
    ],
  ])('%s', async (_name, part) => {
    expect(await contentOf(part)).toContain('lib.exe renew');
  });

  test.each([
    ['a hidden part', '<div hidden><p>No reader of this page ever sees this sentence.</p></div>'],
    [
      'a hidden dialog below a heading',
      '<h2>Loans</h2><div role="dialog" hidden>No reader sees it.</div>',
    ],
    [
      'a hidden part with a name for panels over the page',
      '<h2>Loans</h2><div class="modal" hidden>No reader sees it.</div>',
    ],
    ['text that is only read out', '<span class="sr-only">No reader sees it.</span>'],
    [
      'hidden links of a menu',
      '<button aria-controls="n">More</button><ul id="n" hidden><li><a href="/a">No reader</a></li></ul>',
    ],
  ])('but not %s', async (_name, part) => {
    expect(await contentOf(part)).not.toContain('No reader');
  });
});

describe('the parts of a text that are often lost', () => {
  test.each([
    [
      'a signature of a method',
      '<div class="member-signature">public int renew(int&nbsp;card)</div>',
      'public int renew(int card)',
    ],
    [
      'a parameter',
      '<dl class="field-list"><dt>card</dt><dd>its number</dd></dl>',
      '**card**\n: its number',
    ],
    [
      'a caption',
      '<figure><img src="/a.png" alt=""><figcaption>The hall.</figcaption></figure>',
      'The hall.',
    ],
    ['a message of the page', `<div class="alert" role="alert"><p>${SENTENCE}</p></div>`, SENTENCE],
    ['an aside of the text', `<aside><p>${SENTENCE}</p></aside>`, SENTENCE],
    [
      'the footer of an article',
      `<article><p>Be quiet.</p><footer><p>${SENTENCE}</p></footer></article>`,
      SENTENCE,
    ],
    [
      'a sentence that starts like a label',
      '<p>Related work is scarce.</p>',
      'Related work is scarce.',
    ],
    ['a label of a form', '<form><label>Email</label><input></form>', 'Email'],
    ['a heading at the end', '<h2>To be written</h2>', '## To be written'],
  ])('%s', async (_name, part, expected) => {
    expect(await contentOf(part)).toContain(expected);
  });

  test.each([
    [
      'by its role',
      '<p>It grew.</p><footer role="doc-endnotes"><ol><li>Report of 1998.</li></ol></footer>',
    ],
    ['after the text', '</main><section class="footnotes"><p>Report of 1998.</p></section><main>'],
    ['beside the text', '<aside role="doc-footnote">Report of 1998.</aside>'],
    [
      'as the target of a raised link',
      '<p>It grew<sup id="r"><a href="#n">1</a></sup>.</p></main><footer><p id="n">Report of 1998.</p><p>© 2026</p></footer><main>',
    ],
  ])('a footnote %s', async (_name, part) => {
    const content = await contentOf(part);
    expect(content).toContain('Report of 1998.');
    expect(content).not.toContain('©');
  });

  test('lines that entries of a list share', async () => {
    const entry = (name: string) =>
      `<div><h3>${name}</h3><p>Doors open at nine, and the last visitors are let in at half past five.</p></div>`;
    const content = await contentOf(['Mill', 'Dam', 'Lock'].map(entry).join(''));
    expect(content.split('the last visitors')).toHaveLength(4);
  });

  test('but a caption that comes once for each screen size is there once', async () => {
    const caption =
      '<figcaption>The hall of the library as it was on the first day of the year.</figcaption>';
    const content = await contentOf(`<figure><img src="/a.png">${caption}${caption}</figure>`);
    expect(content.split('The hall of the library')).toHaveLength(2);
  });

  test('a page that is a form', async () => {
    const { content } =
      await readPage(`<title>A card</title><form id="signup"><h1>A card</h1><fieldset><legend>You</legend>
      <label>Full name <input></label><p>As in your passport.</p></fieldset><label>Email</label><input></form>`);
    expect(content).toBe('# A card\n\nYou\n\nFull name\n\nAs in your passport.\n\nEmail');
  });
});

describe('code is there without its line numbers', () => {
  const numbered = (cells: string) =>
    `<pre><code class="hljs language-py"><table class="hljs-ln"><tbody>${cells}</tbody></table></code></pre>`;
  const row = (at: number, line: string) =>
    `<tr><td class="hljs-ln-line hljs-ln-numbers"><div data-line-number="${at}"></div></td><td class="hljs-ln-line hljs-ln-code">${line}</td></tr>`;
  test.each([
    ['in a table of lines', numbered(row(1, 'a') + row(2, '7'))],
    [
      'in a table of two blocks',
      '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><div class="highlight"><pre class="language-py">a\n7\n</pre></div></td></tr></table>',
    ],
    [
      'in a table in the block',
      '<pre><code class="language-py"><table class="rouge-table"><tr><td class="gutter"><pre class="lineno">1\n2\n</pre></td><td class="code"><pre>a\n7\n</pre></td></tr></table></code></pre>',
    ],
    [
      'in spans',
      '<pre><code class="language-py"><span class="ln">1</span><span class="cl">a\n</span><span class="ln">2</span><span class="cl">7\n</span></code></pre>',
    ],
    [
      'with line elements',
      '<pre data-language="py"><code><div class="ec-line"><div class="gutter"><div class="ln">1</div></div><div class="code">a</div></div><div class="ec-line"><div class="gutter"><div class="ln">2</div></div><div class="code">7</div></div></code></pre>',
    ],
    [
      'with line breaks',
      '<pre class="prism-code language-py"><code><span class="token-line">a<br></span><span class="token-line">7<br></span></code></pre>',
    ],
    [
      'with lines that name their number',
      '<pre><code class="language-py"><span data-line="1">a</span>\n<span data-line="2">7</span></code></pre>',
    ],
  ])('%s', async (_name, part) => {
    expect(await contentOf(part)).toContain('```py\na\n7\n```');
  });

  test('in cells without a block', async () => {
    const part = `<div class="syntaxhighlighter"><table><tr><td class="gutter"><div>1</div><div>2</div></td><td class="code">
      <div><div><code>int</code> <code>a;</code></div><div><code>&nbsp;&nbsp;</code><code>b;</code></div></div></td></tr></table></div>`;
    expect(await contentOf(part)).toContain('int a;\n  b;\n');
  });
});
