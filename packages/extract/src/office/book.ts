import { posix } from 'node:path';
import { isoDate } from '@trawl/providers/dates';
import type { ParsedPage } from '@trawl/providers/fetch-declaration';
import { decodeHtml } from '../charset/charset.ts';
import { parseHtml } from '../dom/parse-html.ts';
import { parseXhtml } from '../dom/parse-xml.ts';
import { createElement, type TreeNode } from '../dom/tree.ts';
import { removeInvisible, removeWhere } from '../rules/clean.ts';
import { isHidden } from '../rules/hidden.ts';
import { elementAt, elementsOf, partName, pictureOf, propertiesIn, treeOf } from './parts.ts';
import type { ArchiveParts } from './unpack.ts';

const CONTAINER = 'META-INF/container.xml';
const ENCRYPTION = 'META-INF/encryption.xml';
const CHAPTER_TYPES: ReadonlySet<string> = new Set(['application/xhtml+xml', 'text/html']);

/** The chapters of a book (EPUB) in reading order as HTML, and what it says about itself. */
export function readBook(parts: ArchiveParts): { body: TreeNode; facts: Partial<ParsedPage> } {
  const name = elementAt(treeOf(parts, CONTAINER), 'rootfile')?.getAttribute('full-path') ?? '';
  const book = treeOf(parts, name);
  const body = createElement('body');
  for (const chapter of chaptersIn(book, posix.dirname(name))) {
    const bytes = parts.bytes.get(chapter);
    if (bytes) body.append(readChapter(bytes));
  }
  const date = elementAt(book, 'metadata', 'date')?.textContent.trim();
  return { body, facts: { ...propertiesIn(book), publish_date: isoDate(date) } };
}

/** Whether its text is encrypted; fonts often are, which anyone may read around. */
export const isBookLocked = (parts: ArchiveParts): boolean =>
  elementsOf(treeOf(parts, ENCRYPTION), 'CipherReference').some((reference) =>
    parts.bytes.has(partName('', decoded(reference.getAttribute('URI') ?? ''))),
  );

/** The names of the parts in the spine (EPUB 3.3, 5.7.2), without the list of chapters itself. */
function chaptersIn(book: TreeNode, folder: string): readonly string[] {
  const items = new Map<string, string>();
  for (const item of elementsOf(book, 'item')) {
    const [id, href, type, about] = ['id', 'href', 'media-type', 'properties'].map(
      (attribute) => item.getAttribute(attribute) ?? '',
    );
    if (CHAPTER_TYPES.has(type ?? '') && !about?.split(' ').includes('nav'))
      items.set(id ?? '', partName(folder, decoded(href ?? '')));
  }
  return elementsOf(book, 'itemref').flatMap(
    (reference) => items.get(reference.getAttribute('idref') ?? '') ?? [],
  );
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

function readChapter(bytes: Uint8Array): TreeNode {
  const text = decodeHtml(bytes, 'application/xhtml+xml');
  const { body } = parseXhtml(text) ?? parseHtml(text);
  removeInvisible(body);
  removeWhere(body, isHidden, (node) => node.remove());
  const chapter = createElement('section');
  for (const node of body.childNodes) chapter.append(node);
  for (const image of elementsOf(chapter, 'img')) {
    const picture = pictureOf(image.getAttribute('alt') ?? '', image.getAttribute('src') ?? '');
    image.parentNode?.insertAfter(picture, image);
    image.remove();
  }
  return chapter;
}
