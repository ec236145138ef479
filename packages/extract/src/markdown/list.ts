import { isElement, type PageElement, type PageNode } from '../dom/dom.ts';
import type { Writing } from './writing.ts';

type BlocksOf = (nodes: Iterable<PageNode>, writing: Writing) => readonly string[];

const LISTS = new Set(['ul', 'ol', 'menu', 'dir']);

/** An item: what is in front of it, and its blocks. */
interface Item {
  readonly marker: string;
  readonly blocks: string[];
}

/**
 * Writes a list with its nested lists. No blank lines between items, unless one has several
 * paragraphs.
 */
export function listOf(list: PageElement, writing: Writing, blocksOf: BlocksOf): readonly string[] {
  const items: Item[] = [];
  // an ordered list with a number out of order goes on as another one
  const lists: Item[][] = [];
  const numbers = list.localName === 'ol' ? numbersOf(list) : undefined;
  for (const child of list.childNodes) {
    const blocks = [...blocksOf(isItem(child) ? child.childNodes : [child], writing)];
    if (blocks.length === 0) continue;
    const last = items.at(-1);
    if (last && isElement(child) && LISTS.has(child.localName)) {
      // a nested list that is next to its item instead of in it
      for (const block of blocks) last.blocks.push(block);
      continue;
    }
    const number = numbers?.(child);
    const item = { marker: number === undefined ? '- ' : `${number.value}. `, blocks };
    if (items.length === 0 || number?.isOutOfOrder) lists.push([]);
    items.push(item);
    lists.at(-1)?.push(item);
  }
  return lists.map((part) => part.map(itemText).join('\n'));
}

const isItem = (node: PageNode): node is PageElement => isElement(node) && node.localName === 'li';

/** Numbers the items as browsers do. Markdown has no numbers below zero. */
function numbersOf(
  list: PageElement,
): (item: PageNode) => { value: number; isOutOfOrder: boolean } {
  const isReversed = list.hasAttribute('reversed');
  const count = isReversed ? list.children.filter(isItem).length : 1;
  let next = integer(list.getAttribute('start')) ?? count;
  let expected: number | undefined;
  return (item) => {
    const own = isItem(item) ? integer(item.getAttribute('value')) : undefined;
    const value = Math.max(0, own ?? next);
    const isOutOfOrder = expected !== undefined && value !== expected;
    next = isReversed ? value - 1 : value + 1;
    expected = value + 1;
    return { value, isOutOfOrder };
  };
}

function integer(written: string | null): number | undefined {
  const value = Number.parseInt(written ?? '', 10);
  return Math.abs(value) < 1e9 ? value : undefined;
}

const LIST_START = /^(?:[-*] |1\. )/;

function itemText({ marker, blocks }: Item): string {
  const [first = '', ...others] = blocks;
  // a rule behind the mark of a list would be one rule
  const start = first === '---' && marker === '- ' ? '***' : first;
  const text = others.reduce(
    (whole, block) => `${whole}${LIST_START.test(block) ? '\n' : '\n\n'}${block}`,
    start,
  );
  return marker + indented(text, ' '.repeat(marker.length)).trimStart();
}

function indented(text: string, indent: string): string {
  return text.replace(/^(?=[^\n])/gm, indent);
}
