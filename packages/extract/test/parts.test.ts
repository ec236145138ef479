import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPage } from './support/read.ts';
import { SENTENCES } from './support/sentences.ts';

async function contentOf(markup: string, style = ''): Promise<string> {
  const head = `<title>Tides</title>${style && `<style>${style}</style>`}`;
  return (
    (await readPage(`<!doctype html><head>${head}</head><body>${markup}</body>`)).content ?? ''
  );
}

/** A page of some paragraphs with one part of interest. */
const around = (part: string): string =>
  `<main><h1>Tides</h1><p>${SENTENCES[0]}</p>${part}<p>${SENTENCES[1]}</p></main>`;

describe('a passage stays though its first node is an ornament or a label', () => {
  test.each([
    [
      'an icon before a paragraph',
      '<p><i class="fa fa-anchor" aria-hidden="true"></i> The fee is nine crowns.</p>',
    ],
    [
      'an icon before an item',
      '<ul><li><i class="fa fa-check" aria-hidden="true"></i> The fee is nine crowns.</li></ul>',
    ],
    [
      'an anchor in a heading',
      '<h2><a class="anchor" aria-hidden="true" href="#fee"></a>The fee is nine crowns.</h2>',
    ],
    [
      'an icon in a question',
      '<details><summary><i aria-hidden="true">+</i> The fee is nine crowns.</summary><p>Yes.</p></details>',
    ],
    [
      'an icon in a definition',
      '<dl><dt>Fee</dt><dd><i aria-hidden="true"></i> The fee is nine crowns.</dd></dl>',
    ],
    [
      'a label for screen readers',
      '<p><span class="sr-only">Note:</span> The fee is nine crowns.</p>',
    ],
    ['a hidden word', '<p><span style="display:none">Draft</span> The fee is nine crowns.</p>'],
    ['a hidden mark', '<p><mark hidden>Draft</mark> The fee is nine crowns.</p>'],
    ['a label that begins a sentence', '<p><strong>Popular:</strong> The fee is nine crowns.</p>'],
    [
      'a ligature of an icon',
      '<p><span class="material-icons" aria-hidden="true">anchor</span> The fee is nine crowns.</p>',
    ],
  ])('%s', async (_name, part) => {
    const content = await contentOf(around(part));
    expect(content).toContain('The fee is nine crowns.');
    expect(content).not.toMatch(/Note:|Draft|anchor/);
  });

  test('a label that begins a sentence is a part of it', async () => {
    const content = await contentOf(
      around('<p><strong>Popular:</strong> the fee is nine crowns.</p>'),
    );
    expect(content).toContain('**Popular:** the fee is nine crowns.');
  });
});

describe('hidden parts of a passage that stays', () => {
  test.each([
    ['display:none', '<span style="display: none">unseen</span>'],
    ['visibility:hidden', '<span style="visibility:hidden">unseen</span>'],
    ['hidden', '<span hidden>unseen</span>'],
    ['a class', '<b class="hidden">unseen</b>'],
    ['read out alone', '<span class="visually-hidden">unseen</span>'],
    ['a class of the page', '<span class="later">unseen</span>'],
    ['an id of the page', '<em id="later">unseen</em>'],
    ['two classes of the page', '<em class="two small">unseen</em>'],
    ['an icon', '<i class="icon" aria-hidden="true">unseen</i>'],
    ['within a link', '<a href="/fee">fee<span hidden>unseen</span></a>'],
  ])('%s', async (_name, part) => {
    const style = '.later, #later { display: none } .two.small{visibility:hidden}';
    const content = await contentOf(
      around(`<p>The fee is nine crowns${part} for each metre.</p>`),
      style,
    );
    expect(content).not.toContain('unseen');
    expect(content).toMatch(/The fee is nine crowns.* for each metre\./);
  });

  test.each([
    [
      'shown in a wide window',
      '.later{display:none} @media (min-width:600px){.later{display:inline}}',
    ],
    ['shown in some state', '.later{display:none} .open .later{display:inline}'],
    ['hidden on paper', '@media print{.first{display:none} .later{display:none}}'],
    ['hidden within something else', 'nav .later{display:none}'],
    ['with another class', '.later.small{display:none}'],
    ['another element', 'p.later{display:none}'],
    ['in a comment', '/* .later{display:none} */'],
  ])('not what is %s', async (_name, style) => {
    const part = '<p>The fee is <span class="later">nine crowns</span> for each metre.</p>';
    expect(await contentOf(around(part), style)).toContain(
      'The fee is nine crowns for each metre.',
    );
  });

  test('a style that hides the whole page leaves its text', async () => {
    const content = await contentOf(`<div class="page">${around('')}</div>`, '.page{display:none}');
    expect(content).toContain(SENTENCES[0]);
  });

  test('words that are shown stay beside those that are read out in their place', async () => {
    const part =
      '<p>Pay <span aria-hidden="true">9 kr</span><span class="sr-only">nine crowns</span> at once.</p>';
    const content = await contentOf(around(part));
    expect(content).toContain('Pay 9 kr at once.');
    expect(content).not.toContain('nine crowns');
  });

  test('a label that is all that a cell says stays', async () => {
    const content = await contentOf(
      around(`<table><tr><th>Boat</th><th>Berth</th></tr><tr><td>Gull</td>
        <td><i class="fa fa-check" aria-hidden="true"></i><span class="sr-only">Yes</span></td></tr></table>`),
    );
    expect(content).toContain('| Gull | Yes |');
  });

  test.each([
    [
      'MathJax 3',
      '<mjx-container class="MathJax CtxtMenu_Attached_0"><mjx-math aria-hidden="true"></mjx-math><mjx-assistive-mml><math><mi>a</mi></math></mjx-assistive-mml></mjx-container>',
    ],
    [
      'MathJax 2',
      '<span class="MathJax"><nobr aria-hidden="true">a</nobr><span class="MJX_Assistive_MathML visually-hidden"><math><mi>a</mi></math></span></span>',
    ],
    [
      'an encyclopedia',
      '<span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;"><math><mi>a</mi></math></span><img class="mwe-math-fallback-image-inline" aria-hidden="true" alt=""></span>',
    ],
    [
      'KaTeX',
      '<span class="katex"><span class="katex-mathml visually-hidden"><math><mi>a</mi></math></span><span class="katex-html" aria-hidden="true">a</span></span>',
    ],
  ])('a formula of %s stays, though its source is hidden', async (_name, formula) => {
    const content = await contentOf(around(`<p>When ${formula}, the gate is shut for all.</p>`));
    expect(content).toContain('When $a$, the gate is shut for all.');
  });

  test('a note that is hidden next to its number stays', async () => {
    const part =
      '<p>The field drifted.<span class="inline-footnote">1<span class="footnoteContent" style="display:none">Pick any paper.</span></span></p>';
    expect(await contentOf(around(part))).toContain('Pick any paper.');
  });

  test('a word in a span is a word of its sentence, also where it may be a label', async () => {
    const words = '<span>Click</span> <span>print</span> <span>to get it</span>';
    expect(await contentOf(around(`<p>${words}</p>`))).toContain('Click print to get it');
    const labels = '<span>Share</span> <span>Print</span> <span>Email</span>';
    expect(await contentOf(around(`<p>${labels}</p>`))).not.toContain('Print');
  });

  test('10,000 hidden spans take little time', async () => {
    const part = `<p>${'<span hidden>unseen</span>'.repeat(10_000)}The fee is nine crowns.</p>`;
    const content = await contentOf(around(part));
    expect(content).toContain('The fee is nine crowns.');
    expect(content).not.toContain('unseen');
  });
});

/** What a part of a line is, and whether a reader sees it. */
const HIDINGS: readonly ((word: string) => string)[] = [
  (word) => `<span hidden>${word}</span>`,
  (word) => `<b style="display:none">${word}</b>`,
  (word) => `<em style="visibility: hidden">${word}</em>`,
  (word) => `<span class="sr-only">${word}</span>`,
  (word) => `<span class="visually-hidden">${word}</span>`,
  (word) => `<span class="unseen">${word}</span>`,
  (word) => `<i class="icon" aria-hidden="true">${word}</i>`,
];
const SHOWINGS: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => `<b>${word}</b>`,
  (word) => `<a href="/${word}">${word}</a>`,
  (word) => `<span class="seen">${word}</span>`,
  (word) => `<mark>${word}</mark>`,
];
const BLOCKS: readonly ((line: string) => string)[] = [
  (line) => `<p>${line}</p>`,
  (line) => `<ul><li>${line}</li></ul>`,
  (line) => `<h2>${line}</h2>`,
  (line) => `<blockquote><p>${line}</p></blockquote>`,
  (line) => `<dl><dt>Term</dt><dd>${line}</dd></dl>`,
  (line) => `<details open><summary>${line}</summary></details>`,
  (line) => `<div>${line}</div>`,
  (line) => `<table><tr><th>Head</th></tr><tr><td>${line}</td></tr></table>`,
];

interface Part {
  readonly isSeen: boolean;
  readonly form: number;
}

const part = (): fc.Arbitrary<Part> =>
  fc.record({ isSeen: fc.boolean(), form: fc.nat({ max: 20 }) });
const block = () =>
  fc.record({
    kind: fc.nat({ max: BLOCKS.length - 1 }),
    parts: fc.array(part(), { minLength: 1, maxLength: 6 }),
  });

/** Each part has words of its own, by which it is found in the content. */
function pageOf(blocks: readonly { readonly kind: number; readonly parts: readonly Part[] }[]) {
  const seen: string[] = [];
  const unseen: string[] = [];
  let count = 0;
  const written = blocks.map(({ kind, parts }, at) => {
    const line = parts.map(({ isSeen, form }) => {
      count += 1;
      const word = `${isSeen ? 'visible' : 'secret'}${count}x`;
      (isSeen ? seen : unseen).push(word);
      const forms = isSeen ? SHOWINGS : HIDINGS;
      return forms[form % forms.length]?.(word) ?? word;
    });
    // a line without any visible words is no part of the text
    const tail = `and so on, says line ${at} of the pilot`;
    return BLOCKS[kind]?.(`${line.join(' ')} ${tail}`) ?? '';
  });
  const text = SENTENCES.map((sentence) => `<p>${sentence}</p>`);
  const html = `<!doctype html><head><title>Pilot</title><style>.unseen{display:none}</style></head><body><main><h1>Pilot</h1>${text.join('')}${written.join('')}</main></body>`;
  return { html, seen, unseen };
}

test('each visible word of a page is in the content once, and no hidden one is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(block(), { minLength: 1, maxLength: 12 }), async (blocks) => {
      const { html, seen, unseen } = pageOf(blocks);
      const text = (await readPage(html)).content?.replace(/\]\([^)]*\)/g, ']') ?? '';
      for (const word of seen) expect(text.split(word)).toHaveLength(2);
      for (const word of unseen) expect(text).not.toContain(word);
    }),
    { numRuns: 150 },
  );
});
