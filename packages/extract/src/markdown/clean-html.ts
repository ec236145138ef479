import { absoluteUrl } from '@trawl/contract/urls';
import type { PageElement } from '../dom/dom.ts';
import { imageAddress } from '../dom/images.ts';
import { NEVER_TEXT } from '../dom/tags.ts';
import { codeLanguage } from './code.ts';

const KEPT = new Set(
  'alt title colspan rowspan lang dir datetime cite start type checked id name open value scope headers'.split(
    ' ',
  ),
);
const ADDRESSES = new Set(['href', 'cite', 'poster']);

/**
 * The content as HTML without scripts, handlers, styles and classes, its addresses absolute.
 * Changes the elements.
 */
export function cleanHtml(content: PageElement, baseUrl: string): string {
  for (const element of [...content.querySelectorAll('*')]) {
    if (NEVER_TEXT.has(element.localName) && element.localName !== 'input') element.remove();
    else cleanAttributes(element, baseUrl);
  }
  return content.innerHTML.trim();
}

function cleanAttributes(element: PageElement, baseUrl: string): void {
  const language = element.localName === 'pre' ? codeLanguage(element) : '';
  const source =
    element.localName === 'img'
      ? imageAddress(element, baseUrl)
      : absoluteUrl(element.getAttribute('src'), baseUrl);
  for (const { name, value } of [...element.attributes]) {
    if (ADDRESSES.has(name)) {
      const address = absoluteUrl(value, baseUrl);
      if (address) element.setAttribute(name, address);
      else element.removeAttribute(name);
    } else if (!KEPT.has(name.toLowerCase())) element.removeAttribute(name);
  }
  if (source) element.setAttribute('src', source);
  if (language) element.setAttribute('class', `language-${language}`);
}
