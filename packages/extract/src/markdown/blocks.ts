import { trimStartOf } from '@trawl/contract';
import { isElement, type PageElement, type PageNode } from '../dom/dom.ts';
import { HEADING } from '../dom/tags.ts';
import { codeInTable, codeLanguage, codeText, fenced } from './code.ts';
import { inlineOf } from './inline.ts';
import { listOf } from './list.ts';
import { cellsOf, isLayout, rowsOf, tableOf } from './table.ts';
import { escapeLineStart, type Writing } from './writing.ts';

/** Writes a part of a page as markdown or plain text. */
export function writeContent(root: PageElement, writing: Writing): string {
  return blocksOf(root.childNodes, writing).join('\n\n').trim();
}

/** The blocks of a text, to be separated by blank lines. */
export function blocksOf(nodes: Iterable<PageNode>, writing: Writing): string[] {
  const blocks: string[] = [];
  let line: PageNode[] = [];
  const flush = (): void => {
    for (const part of paragraphs(line, writing)) blocks.push(part);
    line = [];
  };
  for (const node of nodes) {
    if (!isElement(node) || !writing.isBlock(node)) {
      line.push(node);
      continue;
    }
    flush();
    if (!writing.isOutside(node)) for (const block of blockOf(node, writing)) blocks.push(block);
  }
  flush();
  return blocks.filter((block) => block !== '');
}

/** Text and inline elements; two line breaks in a row separate paragraphs, as on old pages. */
function paragraphs(line: readonly PageNode[], writing: Writing): string[] {
  if (line.length === 0) return [];
  return splitAtEmptyLines(inlineOf(line, writing))
    .filter((part) => part !== '')
    .map((part) => (writing.isMarkdown ? escapeLineStart(part) : part));
}

function splitAtEmptyLines(text: string): string[] {
  const parts: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (line.trim() === '') parts.push([]);
    else parts.at(-1)?.push(trimStartOf(line, ' '));
  }
  return parts.map((lines) => lines.join('\n').trim());
}

function blockOf(element: PageElement, writing: Writing): string[] {
  const name = element.localName;
  if (HEADING.has(name)) return heading(element, writing);
  switch (name) {
    case 'ul':
    case 'ol':
    case 'menu':
    case 'dir':
      return [listOf(element, writing, blocksOf)];
    case 'dl':
      return definitions(element, writing);
    case 'pre':
      return [code(codeText(element), codeLanguage(element), writing)];
    case 'blockquote':
      return [quote(blocksOf(element.childNodes, writing), writing)];
    case 'table':
      return table(element, writing);
    case 'hr':
      return writing.isMarkdown ? ['---'] : [];
    case 'figcaption':
    case 'summary':
      return emphasized(element, writing, name === 'summary' ? '**' : '*');
    default:
      return blocksOf(element.childNodes, writing);
  }
}

function heading(element: PageElement, writing: Writing): string[] {
  const text = withoutAnchor(inlineOf(element.childNodes, writing).replace(/\s+/g, ' ').trim());
  if (text === '') return [];
  const bare = text.replace(/^\*\*(.+)\*\*$/, '$1');
  return [writing.isMarkdown ? `${'#'.repeat(Number(element.localName[1]))} ${bare}` : bare];
}

/** A heading on one line, without the permalink sign. */
function withoutAnchor(line: string): string {
  if (/[¶§]$/.test(line) || line.endsWith(' #')) return line.slice(0, -1).trim();
  const at = line.lastIndexOf('](') - 2;
  const isAnchor = at >= 0 && /^\[[¶#§]\]\([^)]*\)$/.test(line.slice(at));
  return isAnchor ? line.slice(0, at).trim() : line;
}

function emphasized(element: PageElement, writing: Writing, mark: string): string[] {
  const blocks = blocksOf(element.childNodes, writing);
  const [only = ''] = blocks;
  const isPlain = blocks.length === 1 && !/[*\n]/.test(only);
  return writing.isMarkdown && isPlain ? [`${mark}${only}${mark}`] : blocks;
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

function definitions(element: PageElement, writing: Writing): string[] {
  const parts = [...element.children].flatMap((child) =>
    child.localName === 'div' ? [...child.children] : [child],
  );
  const blocks: string[] = [];
  for (const part of parts) {
    const inner = blocksOf(part.childNodes, writing);
    if (inner.length === 0) continue;
    if (part.localName === 'dt')
      blocks.push(writing.isMarkdown ? `**${bare(inner.join(' '))}**` : inner.join(' '));
    else if (part.localName === 'dd') blocks.push(definition(inner, blocks.pop(), writing));
    else for (const block of inner) blocks.push(block);
  }
  return blocks;
}

function definition(
  inner: readonly string[],
  term: string | undefined,
  { isMarkdown }: Writing,
): string {
  const text = inner.join('\n\n').replace(/\n(?=[^\n])/g, '\n  ');
  return `${term === undefined ? '' : `${term}\n`}${isMarkdown ? ': ' : ''}${text}`;
}

const bare = (term: string): string => term.replaceAll('**', '');

function table(element: PageElement, writing: Writing): string[] {
  const listing = codeInTable(element);
  if (listing) return [code(listing.code, listing.language, writing)];
  if (!isLayout(element)) return [tableOf(element, writing)];
  const cells = rowsOf(element).flatMap(cellsOf);
  const outside = [...element.children].filter(({ localName }) => localName === 'caption');
  return [...outside, ...cells].flatMap((cell) => blocksOf(cell.childNodes, writing));
}
