import { describe, expect, test } from 'vitest';
import { contentOf, readPage } from './support/read.ts';

const LEAD = 'A sentence that is long enough to count as text of this page, with a comma in it.';
const lead = `<p>${LEAD}</p>`;
const after = async (markup: string, format: 'markdown' | 'text' = 'markdown') =>
  (await contentOf(lead + markup, format)).slice(LEAD.length).trim();

describe('markdown', () => {
  test('lists nest, number and hold paragraphs', async () => {
    const list =
      '<ol start="3"><li>Three<ul><li>a<ul><li>deep</li></ul></li><li>b</li></ul></li><li><p>Four</p><p>more</p></li></ol>';
    expect(await after(list)).toBe('3. Three\n   - a\n     - deep\n   - b\n4. Four\n\n   more');
  });

  test('tables are GFM, with pipes escaped and spans kept in line', async () => {
    const table =
      '<table><tr><th>Name</th><th colspan="2">Range</th></tr><tr><td>a|b</td><td>1</td><td><p>2</p><p>3</p></td></tr><tr><td rowspan="2">c</td><td>4</td><td>5</td></tr><tr><td>6</td><td>7</td></tr></table>';
    expect(await after(table)).toBe(
      [
        '| Name | Range |  |',
        '| --- | --- | --- |',
        '| a\\|b | 1 | 2 3 |',
        '| c | 4 | 5 |',
        '|  | 6 | 7 |',
      ].join('\n'),
    );
    expect(await after(table, 'text')).toContain('a|b | 1 | 2 3');
  });

  test('a cell that spans two rows leaves the third row in its columns', async () => {
    const table =
      '<table><tr><th>Day</th><th>Tide</th></tr><tr><td rowspan="2">Monday</td><td>high</td></tr><tr><td>low</td></tr><tr><td>Tuesday</td><td>high</td></tr></table>';
    expect(await after(table)).toBe(
      [
        '| Day | Tide |',
        '| --- | --- |',
        '| Monday | high |',
        '|  | low |',
        '| Tuesday | high |',
      ].join('\n'),
    );
  });

  test.each([
    ['<pre><code class="language-ts">a\n  b</code></pre>', 'ts'],
    ['<pre class="lang-ts">a\n  b</pre>', 'ts'],
    ['<div class="highlight highlight-source-ts"><pre>a\n  b</pre></div>', 'ts'],
    ['<pre><code class="hljs ts">a\n  b</code></pre>', 'ts'],
    ['<pre class="brush: ts; toolbar: false">a\n  b</pre>', 'ts'],
    ['<pre data-lang="ts">a\n  b</pre>', 'ts'],
    ['<pre>a<br>  b</pre>', ''],
    [
      '<pre class="chroma"><code><span class="ln">1</span>a\n<span class="ln">2</span>  b</code></pre>',
      '',
    ],
    [
      '<figure class="highlight ts"><table><tr><td class="gutter"><pre>1\n2</pre></td><td class="code"><pre>a\n  b</pre></td></tr></table></figure>',
      '',
    ],
  ])('code is fenced with its language: %s', async (markup, language) => {
    expect(await after(markup)).toBe(`\`\`\`${language}\na\n  b\n\`\`\``);
    expect(await after(markup, 'text')).toBe('a\n  b');
  });

  test('a fence is longer than any within the code', async () => {
    expect(await after('<pre>```js\nx\n```</pre>')).toBe('````\n```js\nx\n```\n````');
  });

  test('emphasis, code and links are in their lines', async () => {
    const line =
      '<p>One <b>two </b>three <i>four</i>, <code>f(`x`)</code> and <a href="../up?a=(1)">a link</a>.</p>';
    expect(await after(line)).toBe(
      'One **two** three *four*, ``f(`x`)`` and [a link](https://site.example/up?a=%281%29).',
    );
    expect(await after(line, 'text')).toBe('One two three four, f(`x`) and a link.');
  });

  test('text that looks like a mark is not one', async () => {
    expect(await after('<p>1. not a list, 2 * 3, snake_case and _x</p>')).toBe(
      '1\\. not a list, 2 \\* 3, snake_case and \\_x',
    );
  });

  test('quotes, rules, definitions, captions and powers are kept', async () => {
    const markup =
      '<blockquote><p>First.</p><p>Second, 10<sup>6</sup>.</p></blockquote><hr><dl><dt>Term</dt><dd>Meaning.</dd></dl><figure><img src="/a.png" alt="A"><figcaption>Caption</figcaption></figure>';
    expect(await after(markup)).toBe(
      '> First.\n>\n> Second, 10⁶.\n\n---\n\n**Term**\n: Meaning.\n\n![A](https://site.example/a.png)\n\n*Caption*',
    );
  });

  test('lazily loaded images have their real address, links are resolved against the base', async () => {
    const { content } = await readPage(
      `<html><head><base href="https://cdn.example/x/"></head><body>${lead}<p><img src="data:image/gif;base64,R0" data-src="real.jpg" alt="r"><img src="/blank.gif" srcset="s.jpg 300w, l.jpg 900w" alt="s"> <a href="y">y and more</a></p></body></html>`,
    );
    expect(content).toContain('![r](https://cdn.example/x/real.jpg)');
    expect(content).toContain('![s](https://cdn.example/x/l.jpg)');
    expect(content).toContain('[y and more](https://cdn.example/x/y)');
  });

  test('addresses that run scripts are not links', async () => {
    expect(await after('<p>See <a href="javascript:alert(1)">this</a>.</p>')).toBe('See this.');
  });

  test('scripts, styles, forms and hidden parts are not text', async () => {
    const noise =
      '<script>a()</script><style>b{}</style><noscript>c</noscript><template>d</template><div hidden>e</div><div style="display: none">f</div><button>g</button><svg><title>h</title></svg>';
    expect(await after(noise)).toBe('');
  });
});

describe('the name of a part does not cost its text', () => {
  const parts = (open: string, close: string) =>
    Array.from({ length: 5 }, (_, at) => `${open}<p>Part ${at} ${LEAD}</p>${close}`).join('');

  test.each([
    ['utility classes', '<div class="overflow-hidden hide-scrollbar group/sidebar md:nav">'],
    ['classes for some screens', '<div class="hidden md:block">'],
    [
      'widgets of a page builder',
      '<div class="builder-element builder-widget builder-widget-text">',
    ],
    ['teasers on a page of them', '<div class="teaser popular">'],
  ])('%s', async (_, open) => {
    const content = await contentOf(`<nav>Menu</nav>${parts(open, '</div>')}`);
    expect(content.match(/Part \d/g)).toHaveLength(5);
    expect(content).not.toContain('Menu');
  });

  test('a form around everything', async () => {
    const content = await contentOf(`<form action="/x">${parts('<div>', '</div>')}</form>`);
    expect(content.match(/Part \d/g)).toHaveLength(5);
  });

  test.each(['Search', 'Print', 'Related', 'Tags'])(
    'a heading such as %s over text',
    async (name) => {
      const content = await contentOf(
        `<main><h1>Manual</h1>${lead}<h2>${name}</h2><p>Other ${LEAD}</p></main>`,
      );
      expect(content).toBe(`# Manual\n\n${LEAD}\n\n## ${name}\n\nOther ${LEAD}`);
    },
  );
});
