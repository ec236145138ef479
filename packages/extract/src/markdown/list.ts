import type { PageElement, PageNode } from '../dom/dom.ts';
import type { Writing } from './writing.ts';

type BlocksOf = (nodes: Iterable<PageNode>, writing: Writing) => string[];

/**
 * Writes a list with its nested lists. No blank lines between items, unless one has several
 * paragraphs.
 */
export function listOf(list: PageElement, writing: Writing, blocksOf: BlocksOf): string {
  const isOrdered = list.localName === 'ol';
  let number = Number.parseInt(list.getAttribute('start') ?? '1', 10) || 1;
  const items: string[] = [];
  for (const child of list.childNodes) {
    const isItem = 'localName' in child && (child as PageElement).localName === 'li';
    const blocks = blocksOf(isItem ? child.childNodes : [child], writing);
    if (blocks.length === 0) continue;
    if (!isItem && isNested(child)) {
      // a nested list that is next to its item instead of in it
      items.push(indented(blocks.join('\n'), '  '));
      continue;
    }
    const marker = isOrdered ? `${number}. ` : '- ';
    items.push(marker + indented(itemText(blocks), ' '.repeat(marker.length)).trimStart());
    number += 1;
  }
  return items.join('\n');
}

function isNested(node: PageNode): boolean {
  const name = (node as PageElement).localName;
  return name === 'ul' || name === 'ol';
}

const LIST_START = /^(?:- |\d+\. )/;

function itemText(blocks: readonly string[]): string {
  return blocks.reduce((text, block) => `${text}${LIST_START.test(block) ? '\n' : '\n\n'}${block}`);
}

function indented(text: string, indent: string): string {
  return text.replace(/^(?=[^\n])/gm, indent);
}
