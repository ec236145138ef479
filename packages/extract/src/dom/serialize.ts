import { isElement, type PageNode } from './dom.ts';

const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);

/** Nodes as HTML. Nesting is bounded when a page is parsed. */
export function serialize(nodes: Iterable<PageNode>): string {
  let html = '';
  for (const node of nodes) {
    if (!isElement(node)) {
      html += escapeText(node.textContent);
      continue;
    }
    const attributes = [...node.attributes].map(
      ({ name, value }) => ` ${name}="${escapeText(value).replaceAll('"', '&quot;')}"`,
    );
    html += `<${node.localName}${attributes.join('')}>`;
    if (!VOID.has(node.localName)) html += `${serialize(node.childNodes)}</${node.localName}>`;
  }
  return html;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
