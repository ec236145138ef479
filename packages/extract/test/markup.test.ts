import { Parser } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { type MarkupHandler, readMarkup } from '../src/dom/read-markup.ts';

/** Parts of tags, references and elements with rules of their own; a page is any of them in a row. */
const PARTS = [
  ...['<', '>', '</', '/>', '/', '<!--', '-->', '--!>', '->', '<!', '<?', '<!doctype html>'],
  ...['<!d', '<![if x]>', '<![CDATA[', ']]>', '&amp;', '&amp', '&', '&#38;', '&#x26', '&#'],
  ...['&notit;', '&not', '&copy=1', '&lt', '&hellip;x', ' ', '\n', '\t', '\f', '\v', '=', '"', "'"],
  ...['a', '-', 'é', 'text ', ' hidden ', ' id=a', ' ID="b" id=c', ' /', '<a b=', '<a b="'],
  ...['<a href="x&amp;y" ', "class='q&lt' ", 'data-x=1&copy ', 'b=c&copy=d>', '<P ', '<image '],
  ...['<div>', '</div>', '<p>', '</p>', '<br>', '</br>', '<br/>', '<img src=x>', '<svg>', '</svg>'],
  ...['<svg/>', '<title>', '</title>', '<title/>', '<script>', '</script>', '</script x>'],
  ...['</SCRIPT', '<style>', '</style>', '<textarea>', '</textarea>', '<plaintext', '<iframe>'],
  ...['</iframe>', '<xmp>', '</xmp>', '<noembed>', '<noframes>', '</noframes>', '<foreignObject>'],
  ...['</foreignObject>', '<linearGradient>', '</lineargradient>', '<math>', '</math>', '<mi>'],
  ...['</mi>', '<desc>', '</desc>', '<circle/>', '<form>', '</form>', '<form a=b>', '<li>', '<ul>'],
  ...['</ul>', '<td>', '<tr>', '<table>', '</table>', '<option>', '<select>', '<h1>', '<h2>'],
  ...['</h2>', '<dd>', '<dt>', '<rt>', '<tbody>', '<thead>', '<body>', '<html>', '</body>'],
  ...['<head>', '</head>', '<link rel=x>', '<s', '<t', '<te', '<no', '<i', '<p'],
];
const PAGES = 20_000;

describe('markup is read as htmlparser2 reads it', () => {
  test.each([1, 2, 3, 4])('any parts in a row, %d', (seed) => {
    const below = createChance(seed);
    for (let page = 0; page < PAGES; page += 1) {
      const parts = Array.from({ length: 1 + below(14) }, () => PARTS[below(PARTS.length)]);
      const html = parts.join('');
      if (!isReadDifferently(html)) expect(ours(html), html).toEqual(theirs(html));
    }
  });
});

/** In a title, htmlparser2 leaves a reference right after the start of an end tag as it is. Browsers do not. */
const isReadDifferently = (html: string): boolean =>
  /<\/?[a-z]{0,9}&/i.test(html) && /<(?:title|textarea)/i.test(html);

function ours(html: string): string {
  const { written, handler } = createNotes();
  readMarkup(html, handler);
  return written();
}

function theirs(html: string): string {
  const { written, handler } = createNotes();
  let hasEnded = false;
  const parser = new Parser({
    onopentag: (name, attributes) => handler.open(name, new Map(Object.entries(attributes))),
    // it closes what is still open at the end, which makes no difference to a tree
    onclosetag: (name) => {
      if (!hasEnded) handler.close(name);
    },
    ontext: handler.text,
  });
  parser.write(html);
  hasEnded = true;
  parser.end();
  return written();
}

/** What was read, as text. How a text is split into parts makes no difference. */
function createNotes(): { readonly written: () => string; readonly handler: MarkupHandler } {
  let notes = '';
  return {
    written: () => notes,
    handler: {
      open: (name, attributes = new Map()) => {
        notes += `\n<${name} ${JSON.stringify([...attributes])}>\n`;
      },
      close: (name) => {
        notes += `\n</${name}>\n`;
      },
      text: (text) => {
        notes += text;
      },
    },
  };
}

/** A function that returns whole numbers below a limit, the same ones for each seed. */
function createChance(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
