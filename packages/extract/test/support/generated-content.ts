import fc from 'fast-check';
import { enclosed, type Letter, marked } from './rendered.ts';

/** Generated content: its HTML, and what a reader sees of it. */
interface Inline {
  readonly html: string;
  readonly letters: readonly Letter[];
}

/** A block: its HTML, and what a reader sees of it, as `renderedOutline` says it. */
export interface Block {
  readonly html: string;
  readonly outline: readonly string[];
}

interface Item {
  readonly text: Inline;
  readonly blocks: readonly Block[];
  readonly value: number | undefined;
}

/** Everything that could be read as markdown. */
const SIGNS = [
  ...'*_`~[]()<>#+-=|!\\&:.$"\'^{}',
  ...'** __ *** ~~ `` ``` ~~~ --- === $$ $x$ $5 2) 1. - + # ## > [a](b) ![a](b) <b> <!-- </p> &amp; &#42; &lt; \\*'.split(
    ' ',
  ),
  ...['- ', '+ ', '* ', '# ', '> ', '1. ', '[a]: /b', '[^1]: c', '[x] ', '[ ] ', '| a |', '|---|'],
  ...'😀 漢字 「 」 … “ é'.split(' '),
];
const ADDRESSES = [
  'http://a.example/_b_',
  '<http://a.example>',
  'www.a.example/*',
  'https://a.example',
];
const WORDS = ['a', 'bc', 'Def', '7', ' ', ' ', ' ', 'snake_case', '2 * 3', 'ж'];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const join = (parts: readonly Inline[], between: string): Inline => ({
  html: parts.map(({ html }) => html).join(between),
  letters: parts.flatMap(({ letters }, at) =>
    at > 0 && between !== '' ? [{ text: between, marks: '' }, ...letters] : letters,
  ),
});

const joinBlocks = (blocks: readonly Block[]): Block => ({
  html: blocks.map(({ html }) => html).join('\n'),
  outline: blocks.flatMap(({ outline }) => outline),
});

/** Lines as browsers show them: one blank in a row, none at the edges. */
function linesOf(letters: readonly Letter[]): readonly Letter[][] {
  const lines: Letter[][] = [[]];
  for (const letter of letters) {
    const line = lines.at(-1) ?? [];
    if (letter.text === '⏎') lines.push([]);
    else if (letter.text !== ' ' || (line.length > 0 && line.at(-1)?.text !== ' '))
      line.push(letter);
  }
  for (const line of lines) if (line.at(-1)?.text === ' ') line.pop();
  return lines;
}

/** An empty line separates paragraphs. */
function paragraphs(letters: readonly Letter[]): readonly string[] {
  const found: Letter[][] = [[]];
  for (const line of linesOf(letters)) {
    const last = found.at(-1) ?? [];
    if (line.length === 0) found.push([]);
    else last.push(...(last.length > 0 ? [{ text: '⏎', marks: '' }] : []), ...line);
  }
  return found.filter((lines) => lines.length > 0).map((line) => `p ${marked(line)}`);
}

const oneLine = (letters: readonly Letter[]): string =>
  linesOf(letters.map((letter) => (letter.text === '⏎' ? { ...letter, text: ' ' } : letter)))
    .map(marked)
    .join('');

const row = (cells: readonly Inline[], name: string): Block => ({
  html: `<tr>${cells.map(({ html }) => `<${name}>${html}</${name}>`).join('')}</tr>`,
  outline: [`row ${cells.map(({ letters }) => oneLine(letters)).join(' | ')}`],
});

function table(rows: readonly (readonly Inline[])[]): Block {
  const { html, outline } = joinBlocks(rows.map((cells, at) => row(cells, at === 0 ? 'th' : 'td')));
  return { html: `<table>${html}</table>`, outline };
}

function listing(lines: readonly string[]): Block {
  const code = `x${lines.join('\n')}x`;
  return { html: `<pre>${escaped(code)}</pre>`, outline: [`pre ${JSON.stringify(code)}`] };
}

const insideOf = ({ text, blocks }: Item): Block =>
  joinBlocks([{ html: text.html, outline: paragraphs(text.letters) }, ...blocks]);

function unordered(items: readonly Item[]): Block {
  const inner = items.map(insideOf);
  return {
    html: `<ul>${inner.map(({ html }) => `<li>${html}</li>`).join('')}</ul>`,
    outline: inner.flatMap(({ outline }, at) => enclosed(at === 0 ? 'list -' : '-', outline)),
  };
}

function ordered([items, start]: readonly [readonly Item[], number]): Block {
  let next = start;
  const inner = items.map((item): Block => {
    const { html, outline } = insideOf(item);
    const number = item.value ?? next;
    next = number + 1;
    const value = item.value === undefined ? '' : ` value="${item.value}"`;
    return { html: `<li${value}>${html}</li>`, outline: enclosed(`${number}.`, outline) };
  });
  const { html, outline } = joinBlocks(inner);
  return { html: `<ol start="${start}">${html}</ol>`, outline };
}

interface Style {
  /** By element: the sign of its mark in the outline; empty = the outline has none. */
  readonly marks: Readonly<Record<string, string>>;
  /** What is between two parts of a line. */
  readonly between: '' | ' ';
  readonly hasAddresses: boolean;
}

/** Blocks of any kind in any nesting, with text that looks like markdown. */
export function generatedBlocks({ marks, between, hasAddresses }: Style): fc.Arbitrary<Block> {
  const signs = hasAddresses ? [...SIGNS, ...ADDRESSES] : SIGNS;
  const token = fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(...signs));
  const plain = fc.array(token, { minLength: 1, maxLength: 6 }).map((tokens) => tokens.join(''));
  const text = plain.map(
    (value): Inline => ({
      html: escaped(value),
      letters: [...value].map((character) => ({ text: character, marks: '' })),
    }),
  );
  const code = plain.map((value): Inline => {
    const shown = ` ${value} `.replace(/\s+/g, ' ');
    const core = shown.trim();
    const [before, after] = [value.startsWith(' '), value.endsWith(' ')];
    const parts = [before && ' ', core !== '' && `{${core}}`, after && ' '];
    return {
      html: `<code>${escaped(value)}</code>`,
      letters: parts.flatMap((part) => (part ? [{ text: part, marks: '' }] : [])),
    };
  });
  const image = plain.map(
    (value): Inline => ({
      html: `<img src="/i(1).png" alt="${escaped(value).replaceAll('"', '&quot;')}">`,
      letters: [
        {
          text: `<${value.replace(/\s+/g, ' ').trim()} https://site.example/i%281%29.png>`,
          marks: '',
        },
      ],
    }),
  );
  const lineBreak: Inline = { html: '<br>', letters: [{ text: '⏎', marks: '' }] };
  const around =
    (name: string, mark: string) =>
    (content: Inline): Inline => ({
      html: `<${name}>${content.html}</${name}>`,
      letters: content.letters.map((letter) =>
        letter.marks.includes(mark) ? letter : { ...letter, marks: letter.marks + mark },
      ),
    });
  const { inline } = fc.letrec<{ inline: Inline; part: Inline }>((tie) => ({
    part: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 4, arbitrary: text },
      code,
      image,
      fc.constant(lineBreak),
      ...Object.entries(marks).map(([name, mark]) => ({
        weight: 2,
        arbitrary: tie('inline').map(around(name, mark)),
      })),
    ),
    inline: fc
      .array(tie('part'), { minLength: 1, maxLength: 4 })
      .map((parts) => join(parts, between)),
  }));
  const end = [...'end'].map((letter): Letter => ({ text: letter, marks: '' }));
  /** Never empty, and without the sign of a permanent link at the end. */
  const line = inline.map((content) => join([content, { html: 'end', letters: end }], between));
  const number = fc.integer({ min: 0, max: 120 });
  const nested = { depthIdentifier: 'blocks' };
  return fc
    .letrec<{ blocks: Block; block: Block; items: readonly Item[] }>((tie) => ({
      items: fc.array(
        fc.record({
          text: line,
          blocks: fc.array(tie('block'), { maxLength: 2, ...nested }),
          value: fc.option(number, { nil: undefined, freq: 4 }),
        }),
        { minLength: 1, maxLength: 3, ...nested },
      ),
      block: fc.oneof(
        { depthSize: 'small', withCrossShrink: true, ...nested },
        inline.map(
          ({ html, letters }): Block => ({ html: `<p>${html}</p>`, outline: paragraphs(letters) }),
        ),
        fc.tuple(fc.integer({ min: 1, max: 6 }), line).map(
          ([level, { html, letters }]): Block => ({
            html: `<h${level}>${html}</h${level}>`,
            outline: [`h${level} ${oneLine(letters)}`],
          }),
        ),
        fc.constant<Block>({ html: '<hr>', outline: ['hr'] }),
        fc.array(plain, { minLength: 1, maxLength: 4 }).map(listing),
        fc
          .array(fc.array(line, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 3 })
          .map(table),
        tie('items').map(unordered),
        fc.tuple(tie('items'), number).map(ordered),
        tie('blocks').map(
          ({ html, outline }): Block => ({
            html: `<blockquote>${html}</blockquote>`,
            outline: enclosed('quote', outline),
          }),
        ),
      ),
      blocks: fc.array(tie('block'), { minLength: 1, maxLength: 4, ...nested }).map(joinBlocks),
    }))
    .blocks.filter(({ html }) => !hasUnwritable(html));
}

/** A backslash in front of a pipe, which code in a GFM table cannot have. */
const hasUnwritable = (html: string): boolean => html.includes('<table>') && html.includes('\\|');
