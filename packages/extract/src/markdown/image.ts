import { lineOf, type PageElement } from '../dom/dom.ts';
import { imageAddress } from '../dom/images.ts';
import { ALONE, escapeText } from './escape.ts';
import { escapeAddress, type Writing } from './writing.ts';

/**
 * An image in markdown; nothing in plain text, and for one that has neither an address nor a
 * description.
 */
export function imageText(image: PageElement, writing: Writing): string {
  if (!writing.isMarkdown) return '';
  const description = lineOf(image.getAttribute('alt') ?? '');
  const address = imageAddress(image, writing.baseUrl) ?? insideOf(image, description);
  return address
    ? `![${escapeText(description, { ...ALONE, isInLink: true })}](${escapeAddress(address)})`
    : '';
}

/** An image in the page itself is only named, because it would be longer than the text. */
function insideOf(image: PageElement, description: string): string | null {
  const type = /^\s*data:(image\/[\w.+-]{1,40})/i.exec(image.getAttribute('src') ?? '')?.[1];
  return type && description !== '' ? `data:${type};base64,...` : null;
}
