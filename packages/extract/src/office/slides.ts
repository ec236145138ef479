import { appendText, createElement, following, type TreeNode } from '../dom/tree.ts';
import {
  elementAt,
  elementsOf,
  pictureOf,
  type Relations,
  relationIn,
  relationsOf,
  targetsOf,
  treeOf,
} from './parts.ts';
import type { ArchiveParts } from './unpack.ts';

/** Where the parts of a slide go. */
interface SlideReading {
  readonly parts: ArchiveParts;
  readonly relations: Relations;
  readonly section: TreeNode;
  /** The diagrams that were read. */
  readonly diagrams: Set<string>;
}

/**
 * The slides of a presentation (pptx) as HTML: each with a heading, the texts of its shapes, its
 * tables and its notes. Hidden slides and shapes are left out, and what is in the margins of all.
 */
export function readSlides(parts: ArchiveParts, main: string): TreeNode {
  const body = createElement('body');
  const relations = relationsOf(parts, main);
  const diagrams = new Set<string>();
  const names = elementsOf(treeOf(parts, main), 'sldId').map(
    (slide) => relationIn(slide, relations)?.target ?? '',
  );
  // a file may name one part many times
  for (const [at, name] of [...new Set(names)].entries()) {
    const slide = slideOf(parts, name);
    if (!slide || isFalse(slide.getAttribute('show'))) continue;
    const reading = {
      parts,
      relations: relationsOf(parts, name),
      section: createElement('section'),
      diagrams,
    };
    const shapes = elementAt(slide, 'spTree')?.children ?? [];
    const title = shapes.find((shape) => TITLES.has(placeOf(shape)));
    reading.section.append(headingOf(at + 1, title, reading.relations));
    for (const shape of shapes) if (shape !== title) readShape(shape, reading);
    const [notes] = targetsOf(reading.relations, 'notesSlide');
    if (notes !== undefined) readNotes(notes, reading);
    body.append(reading.section);
  }
  return body;
}

function headingOf(number: number, title: TreeNode | undefined, relations: Relations): TreeNode {
  const heading = element('h2', `Slide ${number}`);
  const lines = title ? elementsOf(title, 'p').filter((line) => elementAt(line, 't')) : [];
  for (const [at, line] of lines.entries()) {
    appendText(heading, at === 0 ? ': ' : ' ');
    for (const node of lineIn(line, 'span', relations).childNodes) heading.append(node);
  }
  return heading;
}

/** Programs write some shapes twice, the second time for readers of older files. */
function slideOf(parts: ArchiveParts, name: string): TreeNode | undefined {
  const slide = treeOf(parts, name).children[0];
  if (slide) for (const copy of elementsOf(slide, 'Fallback')) copy.remove();
  return slide;
}

const isFalse = (value: string | null): boolean => value === '0' || value === 'false';
const isTrue = (value: string | null | undefined): boolean => value === '1' || value === 'true';

/** Places of a layout (ECMA-376 part 1, 19.7.10). */
const TITLES: ReadonlySet<string> = new Set(['title', 'ctrTitle']);
const MARGINS: ReadonlySet<string> = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);
const LISTS: ReadonlySet<string> = new Set(['body', 'obj']);

/** Which place of the layout a shape fills; empty = none. */
function placeOf(shape: TreeNode): string {
  const place = shape.localName === 'grpSp' ? undefined : elementAt(shape, 'ph');
  return place ? (place.getAttribute('type') ?? 'obj') : '';
}

function readShape(shape: TreeNode, reading: SlideReading): void {
  const { section, relations, parts, diagrams } = reading;
  const about = elementAt(shape, 'cNvPr');
  if (isTrue(about?.getAttribute('hidden')) || MARGINS.has(placeOf(shape))) return;
  switch (shape.localName) {
    case 'grpSp':
    case 'AlternateContent':
    case 'Choice':
      for (const child of shape.children) readShape(child, reading);
      return;
    case 'pic': {
      const picture = elementAt(shape, 'blip');
      const { target = '' } = (picture && relationIn(picture, relations, 'embed')) ?? {};
      section.append(pictureOf(about?.getAttribute('descr') ?? '', target));
      return;
    }
    case 'graphicFrame': {
      const table = elementAt(shape, 'tbl');
      if (table) section.append(tableOf(table, relations));
      const diagram = elementAt(shape, 'relIds');
      const data = diagram && relationIn(diagram, relations, 'dm');
      if (!data || diagrams.has(data.target)) return;
      diagrams.add(data.target);
      readParagraphs(treeOf(parts, data.target), true, reading);
      return;
    }
    default:
      readParagraphs(shape, LISTS.has(placeOf(shape)), reading);
  }
}

/** @param isList whether its paragraphs have bullets, unless they say otherwise */
function readParagraphs(
  shape: TreeNode,
  isList: boolean,
  { section, relations }: Pick<SlideReading, 'section' | 'relations'>,
): void {
  /** The open lists, each inside of the last item of the one before. */
  let lists: { readonly list: TreeNode; readonly level: number }[] = [];
  for (const paragraph of elementsOf(shape, 'p')) {
    const numbers = elementAt(paragraph, 'buAutoNum');
    const hasBullet = numbers !== undefined || elementAt(paragraph, 'buChar') !== undefined;
    if (!hasBullet && (!isList || elementAt(paragraph, 'buNone'))) {
      lists = [];
      section.append(lineIn(paragraph, 'p', relations));
      continue;
    }
    const item = lineIn(paragraph, 'li', relations);
    if (!item.first) continue;
    const level = levelOf(paragraph);
    const name = numbers ? 'ol' : 'ul';
    const [outer] = lists;
    // the first items may be deeper than those that follow
    if (outer && outer.level > level) lists = [{ list: outer.list, level }];
    lists = lists.filter(
      (open) => open.level < level || (open.level === level && open.list.localName === name),
    );
    const inner = lists.at(-1);
    if (inner?.level === level) {
      inner.list.append(item);
      continue;
    }
    const list = createElement(name, { start: numbers?.getAttribute('startAt') ?? '1' });
    list.append(item);
    (inner?.list.last ?? section).append(list);
    lists.push({ list, level });
  }
}

/** From 0 to 8 (ECMA-376 part 1, 20.1.10.72). */
function levelOf(paragraph: TreeNode): number {
  const level = Number(elementAt(paragraph, 'pPr')?.getAttribute('lvl'));
  return Number.isInteger(level) ? Math.min(Math.max(level, 0), LEVEL_MAX) : 0;
}

const LEVEL_MAX = 8;

function tableOf(table: TreeNode, relations: Relations): TreeNode {
  const written = createElement('table');
  const hasHead = isTrue(elementAt(table, 'tblPr')?.getAttribute('firstRow'));
  for (const [at, row] of elementsOf(table, 'tr').entries()) {
    const cells = createElement('tr');
    for (const cell of elementsOf(row, 'tc')) {
      if (isTrue(cell.getAttribute('hMerge')) || isTrue(cell.getAttribute('vMerge'))) continue;
      const text = createElement(hasHead && at === 0 ? 'th' : 'td', {
        colspan: cell.getAttribute('gridSpan') ?? '1',
        rowspan: cell.getAttribute('rowSpan') ?? '1',
      });
      for (const paragraph of elementsOf(cell, 'p')) text.append(lineIn(paragraph, 'p', relations));
      cells.append(text);
    }
    written.append(cells);
  }
  return written;
}

function readNotes(name: string, { parts, section }: SlideReading): void {
  const relations = relationsOf(parts, name);
  const shapes = elementAt(treeOf(parts, name), 'spTree')?.children ?? [];
  const notes = createElement('div');
  for (const shape of shapes)
    if (placeOf(shape) === 'body') readParagraphs(shape, false, { relations, section: notes });
  if (notes.textContent.trim() === '') return;
  section.append(element('h3', 'Notes'));
  section.append(notes);
}

/** The text of a paragraph in an element of this name, with its line breaks and outward links. */
function lineIn(paragraph: TreeNode, name: string, relations: Relations): TreeNode {
  const line = createElement(name);
  /** The link of a run, which is in its properties, before its text. */
  let click: TreeNode | undefined;
  for (let at = paragraph.first; at; at = following(at, paragraph)) {
    if (at.localName === 'br') line.append(createElement('br'));
    if (at.localName === 'hlinkClick') click = at;
    if (at.localName !== 't') continue;
    const isLinked = click?.parentNode?.parentNode === at.parentNode;
    const link = click && isLinked ? relationIn(click, relations) : undefined;
    const outer = link?.isOutside ? createElement('a', { href: link.target }) : line;
    appendText(outer, at.textContent);
    if (outer !== line) line.append(outer);
  }
  return line;
}

function element(name: string, text: string): TreeNode {
  const created = createElement(name);
  appendText(created, text);
  return created;
}
