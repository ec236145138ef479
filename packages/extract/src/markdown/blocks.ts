import { trimEndOf } from '@trawl/contract/texts';
import { isElement, type PageElement, type PageNode } from '../dom/dom.ts';
import { HEADING } from '../dom/tags.ts';
import { type Callout, calloutOf } from './callout.ts';
import { codeInTable, codeLanguage, codeText, fenced } from './code.ts';
import { formulaOf, formulaText } from './formula.ts';
import { headingLine, paragraphsOf } from './inline.ts';
import { listOf } from './list.ts';
import { EMPHASIS, linkOf, STRONG } from './pieces.ts';
import { cellsOf, isLayout, rowsOf, tableOf } from './table.ts';
import type { Writing } from './writing.ts';

/** Writes a part of a page as markdown or plain text. */
export function writeContent(root: PageElement, writing: Writing): string {
  return blocksOf(root.childNodes, writing).join('\n\n').trim();
}

/** The blocks of a text, to be separated by blank lines. */
export function blocksOf(nodes: Iterable<PageNode>, writing: Writing): string[] {
  const blocks: string[] = [];
  let line: PageNode[] = [];
  const add = (block: string): void => {
    if (block !== '') blocks.push(writing.isMarkdown ? behind(blocks.at(-1), block) : block);
  };
  const flush = (): void => {
    if (line.length > 0) for (const part of paragraphsOf(line, writing)) add(part);
    line = [];
  };
  for (const node of nodes) {
    if (!isElement(node) || !writing.isBlock(node)) {
      // most text between blocks is only blanks
      if (line.length > 0 || isElement(node) || node.textContent.trim() !== '') line.push(node);
      continue;
    }
    flush();
    if (!writing.isOutside(node)) for (const block of blockOf(node, writing)) add(block);
  }
  flush();
  return blocks;
}

/**
 * A list that would go on the one in front of it gets another mark, or an empty comment between
 * them.
 */
function behind(before: string | undefined, block: string): string {
  if (!before) return block;
  if (block.startsWith('- ') && before.startsWith('- ')) return block.replace(/^- /gm, '* ');
  const isBehindNumbers = /^(?:<!-- -->\n\n)?\d{1,9}\. /.test(before);
  return isBehindNumbers && /^\d{1,9}\. /.test(block) ? `<!-- -->\n\n${block}` : block;
}

function blockOf(element: PageElement, writing: Writing): string[] {
  const name = element.localName;
  if (HEADING.has(name)) return heading(element, writing);
  switch (name) {
    case 'ul':
    case 'ol':
    case 'menu':
    case 'dir':
      return [...listOf(element, writing, blocksOf)];
    case 'dl':
      return definitions(element, writing);
    case 'pre':
    case 'listing':
    case 'xmp':
      return [code(codeText(element), codeLanguage(element), writing)];
    case 'blockquote':
      return [quote(blocksOf(element.childNodes, writing), writing)];
    case 'table':
      return table(element, writing);
    case 'hr':
      return writing.isMarkdown ? ['---'] : [];
    case 'figcaption':
      return blocksOf(element.childNodes, marked(writing, EMPHASIS));
    case 'summary':
      return blocksOf(element.childNodes, marked(writing, STRONG));
    case 'code':
      return codeBlock(element, writing);
    case 'a':
      return linked(element, writing);
    default:
      return other(element, writing);
  }
}

const marked = (writing: Writing, mark: number): Writing => ({
  ...writing,
  marks: writing.marks | mark,
});

function other(element: PageElement, writing: Writing): string[] {
  const callout = writing.isMarkdown ? calloutOf(element) : null;
  if (callout) return calloutText(callout, writing);
  const formula = formulaOf(element);
  return formula ? [formulaText(formula, writing)] : blocksOf(element.childNodes, writing);
}

/** Lines of code that are elements; of anything larger only the text is certain. */
function codeBlock(element: PageElement, writing: Writing): string[] {
  if (element.querySelector('pre, p, ul, ol, dl, table, blockquote, h1, h2, h3, h4, h5, h6'))
    return blocksOf(element.childNodes, writing);
  return [code(codeText(element), codeLanguage(element), writing)];
}

/**
 * The content of a link around blocks. Its address is on a heading or a text of it, or else behind
 * it.
 */
function linked(element: PageElement, writing: Writing): string[] {
  const link = linkOf(element, writing);
  if (!link || element.querySelector('a')) return blocksOf(element.childNodes, writing);
  const isForHeading = element.querySelector('h1, h2, h3, h4, h5, h6') !== null;
  const outer = { link, isForHeading, isWritten: false };
  const blocks = blocksOf(element.childNodes, { ...writing, outer });
  return outer.isWritten || blocks.length === 0 ? blocks : [...blocks, `<${link.address}>`];
}

function heading(element: PageElement, writing: Writing): string[] {
  const line = withoutAnchor(headingLine(element.childNodes, writing));
  if (line === '') return [];
  return [writing.isMarkdown ? `${'#'.repeat(Number(element.localName[1]))} ${firm(line)}` : line];
}

/** Signs at the end would be a part of the mark. */
function firm(line: string): string {
  const text = trimEndOf(line, '#');
  return text === '' || text.endsWith(' ')
    ? `${text}${line.slice(text.length).replace('#', '\\#')}`
    : line;
}

/** A heading on one line, without the permalink sign. */
function withoutAnchor(line: string): string {
  if (/[¶§]$/.test(line) || line.endsWith(' #')) return line.slice(0, -1).trim();
  const at = line.lastIndexOf('](') - 2;
  const isAnchor = at >= 0 && /^\[[¶#§]\]\([^)]*\)$/.test(line.slice(at));
  return isAnchor ? line.slice(0, at).trim() : line;
}

function code(text: string, language: string, writing: Writing): string {
  if (text.trim() === '') return '';
  return writing.isMarkdown ? fenced(text, language) : text;
}

function quote(blocks: readonly string[], { isMarkdown }: Writing): string {
  const text = blocks.join('\n\n');
  if (!isMarkdown || text === '') return text;
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/** As GitHub writes it, with a heading of its own in the first line of the text. */
function calloutText({ type, title, body }: Callout, writing: Writing): string[] {
  const named = title ? blocksOf([title], marked(writing, STRONG)) : [];
  const text = quote([...named, ...blocksOf(body, writing)], writing);
  return text === '' ? [] : [`> [!${type}]\n${text}`];
}

function definitions(element: PageElement, writing: Writing): string[] {
  const parts = [...element.children].flatMap((child) =>
    child.localName === 'div' ? [...child.children] : [child],
  );
  const blocks: string[] = [];
  for (const part of parts) {
    const isTerm = part.localName === 'dt';
    const inner = blocksOf(part.childNodes, isTerm ? marked(writing, STRONG) : writing);
    if (part.localName === 'dd' && blocks.length > 0) addDefinition(blocks, inner, writing);
    // a call cannot have as many arguments as a page may have blocks
    else for (const block of inner) blocks.push(block);
  }
  return blocks;
}

/** A list, a table or code would be plain text behind the mark of a definition. */
function addDefinition(
  blocks: string[],
  [first, ...others]: readonly string[],
  { isMarkdown }: Writing,
): void {
  if (first === undefined) return;
  const isText = !/^(?:[-*] |\d+\. |[|>#]|```|---)/.test(first);
  if (isText) blocks.push(`${blocks.pop()}\n${isMarkdown ? ': ' : ''}${first}`);
  else blocks.push(first);
  for (const block of others) blocks.push(block);
}

function table(element: PageElement, writing: Writing): string[] {
  const listing = codeInTable(element);
  if (listing) return [code(listing.code, listing.language, writing)];
  if (!isLayout(element)) return [tableOf(element, writing)];
  const cells = rowsOf(element).flatMap(cellsOf);
  const outside = [...element.children].filter(({ localName }) => localName === 'caption');
  return [...outside, ...cells].flatMap((cell) => blocksOf(cell.childNodes, writing));
}
