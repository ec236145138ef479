import { describe, expect, test } from 'vitest';
import { contentOf, read, readPage } from './support/read.ts';

const LEAD =
  '<p>The harbour office publishes this guide each spring, for everyone who sails in the bay.</p>';
const FILLER = Array.from(
  { length: 4 },
  (_, at) =>
    `<p>Boats of class ${at} leave the harbour at half tide, since the water is deep then.</p>`,
).join('');
const inArticle = (markup: string, format?: 'markdown' | 'text') =>
  contentOf(`<article><h1>Tides</h1>${LEAD}${markup}${FILLER}</article>`, format);

describe('control characters', () => {
  const REST = 'Boats leave at half tide. '.repeat(40).trim();
  const given = `One\u0008 \u001b[31mred\u009d2J \u007fend\ttab\fpage\vrow\rlast ${REST}`;
  const shown = `One [31mred2J end\ttab\npage\nrow\nlast ${REST}`;

  test.each(['text/plain', 'text/markdown'])(
    'are not in the content of %s',
    async (contentType) => {
      expect((await readPage({ body: given, contentType })).content).toBe(shown);
    },
  );

  test('that were letters of Windows-1252 are these letters', async () => {
    const page = await readPage(
      `<article>${LEAD}<p>The pilot\u0092s fee \u0096 nine crowns\u0085 is due at \u0093noon\u0094.</p>${FILLER}</article>`,
    );
    expect(page.content).toContain('The pilot’s fee – nine crowns… is due at “noon”.');
  });

  test('are neither in the title nor in the content of a page', async () => {
    const page = await readPage(
      `<title>Ti&#8;des &#27;[2J</title><article>${LEAD}<p>The fee is nine&#27;[31m crowns\u0007 and &#x9b;ten for guests of the town.</p>${FILLER}</article>`,
    );
    expect(page.title).toBe('Tides [2J');
    expect(page.content).toContain('The fee is nine[31m crowns and ');
    expect(page.content).not.toMatch(/[^\P{Cc}\n\t]/u);
  });

  test('are not in a feed', async () => {
    const page = await readPage({
      body: `<rss version="2.0"><channel><title>Lo\u000bg\u0008</title><item><title>Tide\u0008s</title><description>June\u0008 is printed. ${REST}</description></item></channel></rss>`,
      contentType: 'application/rss+xml',
    });
    expect(page.content).toContain('Tides\n\nJune is printed.');
    expect(page.title).not.toMatch(/\p{Cc}/u);
  });
});

describe('what is embedded', () => {
  test('an image of AMP is an image, also in the list', async () => {
    const page = await readPage(
      `<article>${LEAD}<amp-img src="/chart.jpg" alt="Chart of the bay" width="9" height="9"><noscript><img src="/chart.jpg" alt="Chart of the bay"></noscript></amp-img>${FILLER}</article>`,
    );
    expect(
      page.content?.match(/!\[Chart of the bay\]\(https:\/\/site\.example\/chart\.jpg\)/g),
    ).toHaveLength(1);
    expect(page.images).toEqual(['https://site.example/chart.jpg']);
  });

  test('the document in a frame is text, without its head and scripts', async () => {
    const inside =
      '<html><head><title>Frame</title><base href=https://other.example/><style>p{display:none}</style></head><body onload=x()><h2>Tides of the week</h2><p>High water on Monday is at seven, and <a href=low>low water</a> at one.</p><script>no()</script></body></html>';
    const content = await inArticle(`<iframe srcdoc="${inside}"></iframe>`);
    expect(content).toContain('## Tides of the week');
    expect(content).toContain('at seven, and [low water](https://site.example/path/low) at one.');
    expect(content).toContain('harbour office');
    expect(content).not.toMatch(/no\(\)|Frame/);
  });

  test.each([
    ['hidden', 'hidden'],
    ['style="display:none"', 'hidden by style'],
    ['width="1" height="1"', 'of one pixel'],
    ['src="https://player.example/1"', 'of another address'],
  ])('a frame with %s (%s) shows nothing', async (attributes) => {
    const content = await inArticle(
      `<iframe ${attributes} srcdoc="<p>Words of the frame that nobody should read here.</p>"></iframe>`,
    );
    expect(content).not.toContain('Words of the frame');
  });

  test('what the style of a frame hides is hidden there only', async () => {
    const inside =
      '<style>.off{display:none}</style><p>High water on Monday is at seven.</p><p class=off>Ignored words of the frame.</p>';
    const content = await inArticle(
      `<iframe srcdoc="${inside}"></iframe><p class="off">The quay is open to guests of the town all year.</p>`,
    );
    expect(content).toContain('is at seven.');
    expect(content).toContain('The quay is open');
    expect(content).not.toContain('Ignored words');
  });

  test('elements of frames count as those of the page', async () => {
    const frames = `<iframe srcdoc="${'<hr>'.repeat(260_000)}"></iframe>`.repeat(2);
    expect(await read(`${LEAD}${frames}`)).toMatchObject({ code: 'too_large' });
  });
});

describe('callouts', () => {
  const NOTE = 'Tide tables are printed in June.';
  test.each([
    [
      'GitHub',
      `<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title"><svg></svg>Note</p><p>${NOTE}</p></div>`,
      `> [!NOTE]\n> ${NOTE}`,
    ],
    [
      'Docusaurus',
      `<div class="theme-admonition theme-admonition-tip admonition_x alert alert--success"><div class="admonitionHeading_g"><span class="admonitionIcon_r"><svg></svg></span>tip</div><div class="admonitionContent_k"><p>${NOTE}</p></div></div>`,
      `> [!TIP]\n> ${NOTE}`,
    ],
    [
      'Docusaurus 1',
      `<div class="admonition admonition-caution alert alert--warning"><div class="admonition-heading"><h5>Watch the tide</h5></div><div class="admonition-content"><p>${NOTE}</p></div></div>`,
      `> [!CAUTION]\n> ##### Watch the tide\n>\n> ${NOTE}`,
    ],
    [
      'MkDocs',
      `<div class="admonition warning"><p class="admonition-title">At night</p><p>${NOTE}</p><ul><li>One</li><li>Two</li></ul></div>`,
      `> [!WARNING]\n> **At night**\n>\n> ${NOTE}\n>\n> - One\n> - Two`,
    ],
    [
      'MkDocs, folded',
      `<details class="danger"><summary>At night</summary><p>${NOTE}</p></details>`,
      `> [!CAUTION]\n> **At night**\n>\n> ${NOTE}`,
    ],
    [
      'VitePress',
      `<div class="tip custom-block"><p class="custom-block-title">TIP</p><p>${NOTE}</p></div>`,
      `> [!TIP]\n> ${NOTE}`,
    ],
    [
      'Obsidian',
      `<div class="callout" data-callout="important"><div class="callout-title"><div class="callout-icon"><svg></svg></div><div class="callout-title-inner">Important</div></div><div class="callout-content"><p>${NOTE}</p></div></div>`,
      `> [!IMPORTANT]\n> ${NOTE}`,
    ],
    [
      'Obsidian, a type of its own',
      `<div class="callout" data-callout="harbour"><div class="callout-title">Harbour</div><div class="callout-content"><p>${NOTE}</p></div></div>`,
      `> [!NOTE]\n> **Harbour**\n>\n> ${NOTE}`,
    ],
  ])('of %s', async (_, markup, written) => {
    expect(await inArticle(markup)).toContain(`\n\n${written}\n\n`);
  });

  test('as plain text they have their words alone', async () => {
    const markup = `<div class="admonition note"><p class="admonition-title">Note</p><p>${NOTE}</p></div>`;
    const content = await inArticle(markup, 'text');
    expect(content).toContain(`\n\nNote\n\n${NOTE}\n\n`);
    expect(content).not.toContain('[!');
  });

  test('an alert of a form is none', async () => {
    expect(await inArticle(`<div class="alert alert-info"><p>${NOTE}</p></div>`)).not.toContain(
      '[!',
    );
  });
});
