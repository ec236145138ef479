import { posix } from 'node:path';
import { isoDate } from '@trawl/providers/dates';
import type { ParsedPage } from '@trawl/providers/fetch-declaration';
import { decodeHtml } from '../charset/charset.ts';
import { parseHtml } from '../dom/parse-html.ts';
import { parseXhtml } from '../dom/parse-xml.ts';
import { createElement, type TreeNode } from '../dom/tree.ts';
import { checkLimits } from '../input/page-limits.ts';
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
  let elements = 0;
  let missing = 0;
  for (const [chapter, isHtml] of chaptersIn(book, posix.dirname(name))) {
    const bytes = isHtml ? parts.bytes.get(chapter) : undefined;
    if (!bytes) {
      missing += 1;
      continue;
    }
    const read = readChapter(bytes);
    body.append(read.chapter);
    elements += read.elements;
    checkLimits(elements, 0);
  }
  const date = elementAt(book, 'metadata', 'date')?.textContent.trim();
  const remarks = missing === 0 ? [] : [remarkOn(missing)];
  return { body, facts: { ...propertiesIn(book), publish_date: isoDate(date), remarks } };
}

const remarkOn = (missing: number): ParsedPage['remarks'][number] => ({
  code: 'upstream_warning',
  message: `content: without ${missing} of the chapters, which are no HTML or not in the file`,
});

/** Whether its text is encrypted; fonts often are, which anyone may read around. */
export const isBookLocked = (parts: ArchiveParts): boolean =>
  elementsOf(treeOf(parts, ENCRYPTION), 'CipherReference').some((reference) =>
    parts.bytes.has(partName('', decoded(reference.getAttribute('URI') ?? ''))),
  );

/**
 * The names of the parts in the spine (EPUB 3.3, 5.7.2), without the list of chapters itself, and
 * whether they are HTML.
 */
function chaptersIn(book: TreeNode, folder: string): ReadonlyMap<string, boolean> {
  const items = new Map<string, readonly [name: string, isHtml: boolean]>();
  for (const item of elementsOf(book, 'item')) {
    const [id, href, type, about] = ['id', 'href', 'media-type', 'properties'].map(
      (attribute) => item.getAttribute(attribute) ?? '',
    );
    if (!about?.split(' ').includes('nav'))
      items.set(id ?? '', [partName(folder, decoded(href ?? '')), CHAPTER_TYPES.has(type ?? '')]);
  }
  const spine = elementsOf(book, 'itemref');
  return new Map(
    spine.flatMap((reference) => {
      const item = items.get(reference.getAttribute('idref') ?? '');
      return item ? [item] : [];
    }),
  );
}

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

function readChapter(bytes: Uint8Array): { chapter: TreeNode; elements: number } {
  const text = decodeHtml(bytes, 'application/xhtml+xml');
  const { body } = parseXhtml(text) ?? parseHtml(text);
  const elements = body.querySelectorAll('*').length;
  removeInvisible(body);
  removeWhere(body, isHidden, (node) => node.remove());
  const chapter = createElement('section');
  for (const node of body.childNodes) chapter.append(node);
  for (const image of elementsOf(chapter, 'img')) {
    const picture = pictureOf(image.getAttribute('alt') ?? '', image.getAttribute('src') ?? '');
    image.parentNode?.insertAfter(picture, image);
    image.remove();
  }
  return { chapter, elements };
}
