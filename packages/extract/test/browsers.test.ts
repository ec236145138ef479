import { describe, expect, test } from 'vitest';
import { contentOf, read, readPage } from './support/read.ts';

/** Pages as browsers make them from their markup. */
describe('comments end where browsers end them', () => {
  test.each([
    ['with a bang', '<!-- old --!>'],
    ['at once', '<!-->'],
    ['at once, with a dash', '<!--->'],
    ['inside of another', '<!-- a <!-- b -->'],
    ['of no kind', '<?php echo 1 ?>'],
    ['of no kind, with a bang', '<!if gone>'],
    ['as the end tag of nothing', '</ p>'],
    ['with dashes', '<!-- a -- b --->'],
  ])('%s', async (_name, comment) => {
    expect(await contentOf(`<p>The first tide.</p>${comment}<p>The second tide.</p>`)).toBe(
      'The first tide.\n\nThe second tide.',
    );
  });
});

const XHTML = (body: string, head = ''): string =>
  `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Tides</title>${head}</head><body>${body}</body></html>`;

describe('a page served as XHTML is read as XML', () => {
  const served = (body: string, contentType = 'application/xhtml+xml') =>
    readPage({ body, contentType });

  test('each element may close itself', async () => {
    const page = XHTML(
      '<p>Before.</p><script src="b.js"/><a id="x"/><div class="clear"/><textarea/><iframe src="f"/><p>After.</p>',
      '<script src="a.js"/><style/>',
    );
    const { content, title } = await served(page);
    expect(content).toBe('Before.\n\nAfter.');
    expect(title).toBe('Tides');
    expect((await served(page, 'text/xml; charset=utf-8')).content).toBe('Before.\n\nAfter.');
  });

  test('its sections are text, and it has the entities of HTML', async () => {
    const { content } = await served(
      XHTML('<p>Caf&eacute;&nbsp;<![CDATA[one < two & three]]></p><p>&amp;lt; &lt;b&gt;</p>'),
    );
    expect(content).toMatch(/^Café one < two & three\n/);
    expect(content).toContain('&lt; \\<b>');
  });

  test('if it is not well-formed, all of it is read as HTML', async () => {
    const { content } = await served(XHTML('<p>One<br>Two<p>Three'));
    expect(content).toBe('One  \nTwo\n\nThree');
  });

  test('with a type of HTML, it is HTML', async () => {
    const { content } = await served(XHTML('<b/>Bold.'), 'text/html');
    expect(content).toBe('**Bold.**');
  });
});

describe('shadow roots that a page declares are shown', () => {
  const host = (root: string, children: string, name = 'tide-card'): string =>
    `<${name}><template shadowrootmode="open">${root}</template>${children}</${name}>`;

  test('with the children of the host in the slots', async () => {
    const page = host(
      '<style>p{}</style><h2><slot name="title">No title</slot></h2><slot></slot><p>End of card.</p>',
      '<p>Body of the card.</p><span slot="title">High water</span>',
    );
    expect(await contentOf(page)).toBe('## High water\n\nBody of the card.\n\nEnd of card.');
  });

  test('a slot without children shows its own, and children without a slot are not shown', async () => {
    expect(
      await contentOf(
        host('<p><slot name="a">Nothing yet.</slot></p>', '<p slot="b">Not shown.</p>'),
      ),
    ).toBe('Nothing yet.');
  });

  test('within each other', async () => {
    const inner = host('<p>Inner:</p><slot></slot>', '<slot name="x"></slot>', 'tide-inner');
    expect(await contentOf(host(inner, '<p slot="x">From outside.</p>', 'div'))).toBe(
      'Inner:\n\nFrom outside.',
    );
  });

  test.each([
    ['any other template', '<template><p>Hidden.</p></template>'],
    ['one with no such mode', '<div><template shadowrootmode="x"><p>Hidden.</p></template></div>'],
    [
      'one in an element without shadow roots',
      '<ul><template shadowrootmode="open"><li>Hidden.</li></template></ul>',
    ],
    ['a second one', `${host('', '<template shadowrootmode="open">Hidden.</template>')}`],
  ])('but not %s', async (_name, markup) => {
    expect(await contentOf(`<p>Shown.</p>${markup}`)).toBe('Shown.');
  });
});

describe('markup with mistakes', () => {
  test('text between the rows of a table comes before it', async () => {
    const page =
      '<table><tr><td>A</td><td>B</td></tr>Loose words.<tr><td>1</td><td>2</td></tr></table>';
    expect(await contentOf(page)).toMatch(/^Loose words\.\n\n\|/);
  });

  test('a paragraph ends where a block starts, emphasis goes on', async () => {
    expect(await contentOf('<p><b>One<div>Two</div>')).toBe('**One**\n\n**Two**');
  });

  test('an element for browsers without scripts that is not closed ends with it', async () => {
    expect(await contentOf('<noscript><div><p>Enable it.</noscript><p>The tide is high.</p>')).toBe(
      'The tide is high.',
    );
  });

  test('a picture that is not closed ends with the next paragraph', async () => {
    expect(await contentOf('<svg><path><title>Icon</title><p>The tide is high.</p>')).toBe(
      'The tide is high.',
    );
  });

  test('a title in a picture is not that of the page', async () => {
    const page = '<body><svg><title>Menu</title></svg><h1>High water</h1><p>At noon.</p>';
    expect((await readPage(page)).title).toBe('High water');
  });

  test('a page of frames has the text for browsers without them', async () => {
    const page =
      '<frameset><frame src="a"><noframes><body><p>The plain text.</p></body></noframes></frameset>';
    expect((await readPage(`<html>${page}</html>`)).content).toBe('The plain text.');
  });

  test('a base in a comment or a template is none', async () => {
    const page =
      '<!-- <base href="/a/"> --><template><base href="/b/"></template><base href="/c/"><base href="/d/"><a href="x">A link to a page</a>';
    expect((await readPage(page)).links).toEqual(['https://site.example/c/x']);
  });
});

describe('nesting deeper than browsers allow', () => {
  test('keeps all text in its order', async () => {
    const words = Array.from({ length: 20 }, (_, at) => `w${at}`);
    const page = `${'<div>'.repeat(508)}${words.map((word) => `<div>${word}`).join('')}<script>hidden()</script>`;
    const { content } = await readPage({ body: page, format: 'text' });
    expect(content?.split(/\s+/)).toEqual(words);
  });

  test('of quotations and lists indents no further', async () => {
    for (const tag of ['blockquote', 'ul><li']) {
      const { content } = await readPage(`${`<${tag}>`.repeat(400)}<p>Deep.</p>`);
      expect(content?.length).toBeLessThan(500);
      expect(content).toContain('Deep.');
    }
  });

  test('is no page from 25,000 on', async () => {
    expect(await read('<div>'.repeat(26_000))).toMatchObject({ code: 'too_large' });
  });
});
