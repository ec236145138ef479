import fc from 'fast-check';
import { parse } from 'parse5';
import { describe, expect, test } from 'vitest';
import { parseDocument } from '../src/dom/page-parser.ts';
import type { TreeNode } from '../src/dom/tree.ts';
import { createPageBuilding } from '../src/dom/tree-adapter.ts';

const building = () => createPageBuilding({ elements: 0 }).treeAdapter;

const outline = (node: TreeNode): unknown =>
  node.localName === '#text'
    ? node.data
    : [node.localName, node.namespace, node.attributes, node.childNodes.map(outline)];

/** What has a meaning for a tokenizer, in any order. */
const PARTS = [
  ...'p b i a div span table tr td select option svg math title desc textarea pre script style noscript template iframe xmp body html head'
    .split(' ')
    .flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} `, `<${name.toUpperCase()}\n>`]),
  ...['<!--', '-->', '--!>', '<!-->', '<![CDATA[', ']]>', '<!doctype html>', '<?', '<!', '</', '<'],
  ...['<script><!--', '<script>x', '</script>', '</script >', '</scr', '<!--<script>', '//-->'],
  ...['class="', "id='", 'a=b', 'data-Über=1', '"', "'", '=', '>', '/>', '/', '&', '&amp;', '&not'],
  ...['&#0;', '&#x10ffff;', '&nbsp', '\0', '\r', '\n', '\r\n', '\t', '\f', ' ', '  \n ', ' '],
  ...['word', 'two words', 'é', '漢字', '😀', '\ud83d', '\ude00', '-', '--', ';', ']', ']]'],
];

describe('the parser of pages builds the tree of parse5', () => {
  test('from any markup', () => {
    const markup = fc.array(fc.constantFrom(...PARTS), { maxLength: 60 });
    fc.assert(
      fc.property(markup, (parts) => {
        const source = parts.join('');
        const tree = parseDocument(source, building());
        expect(outline(tree)).toEqual(outline(parse(source, { treeAdapter: building() })));
      }),
      { numRuns: 2_000 },
    );
  });

  test('from more than it keeps at once', () => {
    const part = `<p title="${'long '.repeat(40)}">${'word '.repeat(99)}&amp;<!-- ${'a - b '.repeat(99)}-->\n</p><script>if (a < b) "</scr" + '${'x'.repeat(999)}'</script>`;
    const source = part.repeat(200);
    const tree = parseDocument(source, building());
    expect(outline(tree)).toEqual(outline(parse(source, { treeAdapter: building() })));
  });
});
