import { capDepth } from './cap-depth.ts';
import type { PageDocument } from './dom.ts';
import { indexed } from './index-tree.ts';
import { parseContent, parseDocument } from './page-parser.ts';
import { hideByStyle } from './style-sheets.ts';
import { createElement, type TreeNode } from './tree.ts';
import { createPageBuilding, type PageCount } from './tree-adapter.ts';

/**
 * Parses a page as the HTML standard says, with scripts. The document always has a body.
 * @throws the error of a page above a limit: too many elements, or nested too deep
 */
export function parseHtml(source: string): PageDocument {
  const count = { elements: 0 };
  const { treeAdapter, fallbacks, embedded } = createPageBuilding(count);
  const root = parseDocument(source, treeAdapter);
  for (const element of fallbacks) parseInside(element, count);
  for (const element of embedded) showEmbedded(element, count);
  showFrames(root, fallbacks);
  capDepth(root);
  return indexed(root);
}

/** What a page has for browsers without scripts is text for one with them. */
function parseInside(element: TreeNode, count: PageCount): void {
  const source = element.textContent;
  if (!source.includes('<')) return;
  const inside = parseContent(source, createPageBuilding(count).treeAdapter);
  element.empty();
  for (const node of inside.childNodes) element.append(node);
}

/** What of a frame's document is about that document, not text. */
const FRAME_HEAD = 'title, meta, base, link, script, style';
/** How an element is named, and whether it is hidden. */
const OUTER_ATTRIBUTES = ['class', 'id', 'role', 'hidden', 'style', 'aria-hidden'];
/** A frame of one pixel counts visits. */
const PIXEL = /^[01](?:px)?$/;

/**
 * Puts an image in the place of an AMP one, and the text of a frame whose document is in the page
 * in the place of the frame. Frames within such a document are left out.
 * https://html.spec.whatwg.org/multipage/iframe-embed-object.html#attr-iframe-srcdoc
 */
function showEmbedded(element: TreeNode, count: PageCount): void {
  const isImage = element.localName !== 'iframe';
  const source = element.getAttribute('srcdoc') ?? '';
  const hasAddress = !/^(?:about:.*)?$/.test(element.getAttribute('src') ?? '');
  const isCounter = ['width', 'height'].some((name) =>
    PIXEL.test(element.getAttribute(name) ?? ''),
  );
  if (!isImage && (hasAddress || isCounter || source.trim() === '')) return;
  const shown = createElement(isImage ? 'img' : 'div');
  for (const { name, value } of element.attributes)
    if (isImage || OUTER_ATTRIBUTES.includes(name)) shown.setAttribute(name, value);
  if (!isImage) {
    const inside = parseContent(source, createPageBuilding(count).treeAdapter);
    hideByStyle({ body: inside, findAll: (selector) => inside.querySelectorAll(selector) });
    for (const node of inside.querySelectorAll(FRAME_HEAD)) node.remove();
    for (const node of inside.childNodes) shown.append(node);
  }
  element.parentNode?.insertAfter(shown, element);
  element.remove();
}

/** A page of frames has only the text for browsers that do not show them. */
function showFrames(root: TreeNode, fallbacks: readonly TreeNode[]): void {
  const frames = root.querySelector('frameset');
  if (!frames) return;
  const body = createElement('body');
  for (const { localName, childNodes } of fallbacks)
    if (localName === 'noframes') for (const node of childNodes) body.append(node);
  root.append(body);
}
