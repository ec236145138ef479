import { escapeCell, gfmTable } from '../markdown/table.ts';
import { linesOf, type PdfItem } from './pdf-lines.ts';
import { ARTIFACT, type PdfContent, type PdfStructure } from './pdf-pages.ts';
import type { PdfBlock } from './pdf-text.ts';

/** What is written by tags, and the text that has none. */
export interface TaggedText {
  readonly blocks: readonly PdfBlock[];
  readonly left: readonly PdfItem[];
}

type TagNode = PdfStructure | PdfStructure['children'][number];

interface Tagging {
  readonly isMarkdown: boolean;
  readonly blocks: PdfBlock[];
  /** The text of everything inside of an element, which is then used up. */
  readonly textOf: (node: TagNode) => string;
}

/** The share of the text that has to be tagged. */
const TAGGED_SHARE = 0.5;

/**
 * Writes headings, lists and tables as the tags of a page say (ISO 32000-1 14.8). Running titles
 * and page numbers, which are marked as artifacts, are left out. undefined = too little is tagged.
 */
export function writeTagged(
  { items, structure }: PdfContent,
  format: 'markdown' | 'text',
): TaggedText | undefined {
  if (!structure) return undefined;
  const byMark = itemsByMark(items);
  const all = charactersOf(byMark);
  const take = (node: TagNode): readonly PdfItem[] => {
    if ('children' in node) return node.children.flatMap(take);
    const taken = byMark.get(node.id) ?? [];
    byMark.delete(node.id);
    return taken;
  };
  const textOf = (node: TagNode): string =>
    linesOf(take(node))
      .map(({ text }) => text)
      .join('\n');
  const tagging: Tagging = { isMarkdown: format === 'markdown', blocks: [], textOf };
  write(structure, tagging);
  if (charactersOf(byMark) > all * (1 - TAGGED_SHARE) || all === 0) return undefined;
  return { blocks: tagging.blocks, left: [...byMark.values()].flat() };
}

/** Without artifacts. Text without a mark has an empty one. */
function itemsByMark(items: readonly PdfItem[]): Map<string, PdfItem[]> {
  const byMark = new Map<string, PdfItem[]>();
  for (const item of items) {
    const { mark = '' } = item;
    const group = byMark.get(mark);
    if (group) group.push(item);
    else byMark.set(mark, [item]);
  }
  byMark.delete(ARTIFACT);
  return byMark;
}

const charactersOf = (byMark: ReadonlyMap<string, readonly PdfItem[]>): number =>
  [...byMark.values()].flat().reduce((sum, { str }) => sum + str.trim().length, 0);

/** Elements that only hold others. */
const GROUPS: ReadonlySet<string> = new Set([
  ...['Root', 'Document', 'DocumentFragment', 'Part', 'Art', 'Sect', 'Div', 'Aside', 'NonStruct'],
  ...['BlockQuote', 'Index', 'TOC', 'TOCI', 'Private'],
]);

function write(node: TagNode, tagging: Tagging): void {
  const { blocks, isMarkdown, textOf } = tagging;
  if ('children' in node && GROUPS.has(node.role)) {
    for (const child of node.children) write(child, tagging);
    return;
  }
  const role = 'children' in node ? node.role : '';
  const textOfRole = (): string => {
    if (!('children' in node)) return textOf(node);
    if (role === 'L') return listOf(node, tagging, '').join('\n');
    if (role === 'Table')
      return tableOf(
        rowsOf(node).map((row) => row.map(textOf)),
        isMarkdown,
      );
    return textOf(node);
  };
  const text = textOfRole();
  if (text.trim() !== '') blocks.push({ text, level: levelOf(role), isTop: false });
}

function levelOf(role: string): number {
  if (role === 'Title') return 1;
  if (role === 'H') return 2;
  return Number(/^H([1-6])$/.exec(role)?.[1] ?? 0);
}

const asList = (node: TagNode): PdfStructure | undefined =>
  'children' in node && node.role === 'L' ? node : undefined;

const BULLET = /^[\u2022\u2023\u25e6\u25aa\u25cf\u00b7\u2013*-]\s+/;
const ORDINAL = /^\d{1,4}[.)]\s/;

/** The lines of a list. Its elements are items, their parts, and lists inside of any of them. */
function listOf(node: PdfStructure, tagging: Tagging, indent: string): readonly string[] {
  return node.children.flatMap((child) => {
    const nested = asList(child);
    if (nested) return listOf(nested, tagging, `${indent}  `);
    const inner: PdfStructure[] = [];
    const line = ownText(child, tagging, inner).replaceAll('\n', ' ').replace(BULLET, '').trim();
    const mark = ORDINAL.test(line) ? '' : '- ';
    return [
      ...(line === '' ? [] : [`${indent}${mark}${line}`]),
      ...inner.flatMap((list) => listOf(list, tagging, `${indent}  `)),
    ];
  });
}

/** The text of an element without that of the lists in it, which are collected. */
function ownText(node: TagNode, tagging: Tagging, lists: PdfStructure[]): string {
  const list = asList(node);
  if (list) {
    lists.push(list);
    return '';
  }
  if (!('children' in node)) return tagging.textOf(node);
  const texts = node.children.map((child) => ownText(child, tagging, lists));
  return texts.filter((text) => text !== '').join(' ');
}

function rowsOf(node: PdfStructure): readonly (readonly TagNode[])[] {
  return node.children.flatMap((child) => {
    if (!('children' in child)) return [];
    return child.role === 'TR' ? [child.children] : rowsOf(child);
  });
}

/** Rows of cells as a table, or as lines. */
export function tableOf(rows: readonly (readonly string[])[], isMarkdown: boolean): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll('\n', ' ')));
  return isMarkdown
    ? gfmTable(cells.map((row) => row.map(escapeCell)))
    : cells.map((row) => row.join('\t')).join('\n');
}
