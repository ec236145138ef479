import { Parser, type TreeAdapter } from 'parse5';
import { PageTokenizer } from './page-tokenizer.ts';
import type { TreeNode } from './tree.ts';
import type { Nodes } from './tree-adapter.ts';

/**
 * Marks and links that a block closes without their end tags are opened again in the next block,
 * each time with all others before them, which is a square of elements. Of 3,179 pages of the
 * benchmarks none has more than five.
 */
const REOPENED_MAX = 20;

/** The parser of parse5 with a faster tokenizer and a limit for unclosed marks. */
class PageParser extends Parser<Nodes> {
  constructor(...given: ConstructorParameters<typeof Parser<Nodes>>) {
    super(...given);
    this.tokenizer = new PageTokenizer(this.options, this);
  }

  override _reconstructActiveFormattingElements(): void {
    const { activeFormattingElements: list, openElements } = this;
    let count = 0;
    for (let entry = list.newest; entry !== null && 'element' in entry; ) {
      if (openElements.contains(entry.element)) break;
      const { older } = entry;
      count += 1;
      if (count > REOPENED_MAX) list.removeEntry(entry);
      entry = older;
    }
    if (count > 0) super._reconstructActiveFormattingElements();
  }
}

/** @returns the document */
export function parseDocument(source: string, treeAdapter: TreeAdapter<Nodes>): TreeNode {
  const parser = new PageParser({ treeAdapter });
  parser.tokenizer.write(withLineFeeds(source), true);
  return parser.document;
}

/** Parses what may be inside of a `template`. @returns an element with the nodes */
export function parseContent(source: string, treeAdapter: TreeAdapter<Nodes>): TreeNode {
  const parser = PageParser.getFragmentParser<Nodes>(null, { treeAdapter });
  parser.tokenizer.write(withLineFeeds(source), true);
  return parser.getFragment();
}

/** https://html.spec.whatwg.org/multipage/parsing.html#preprocessing-the-input-stream */
const withLineFeeds = (source: string): string =>
  source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
