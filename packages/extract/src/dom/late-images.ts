import { elementBefore, type PageElement } from './dom.ts';
import { realSource } from './images.ts';
import { unwrap } from './tree.ts';

/**
 * Parts of a text in which an image for readers without scripts is one of the text; elsewhere it
 * counts visits or is a teaser's.
 */
const PARTS = new Set(['figure', 'picture', 'p', 'td']);

/** Where a script would load an image, the one for readers without scripts has its address. */
export function showFallbackImages(body: PageElement): void {
  for (const fallback of body.querySelectorAll('noscript')) {
    const image = fallback.querySelector('img');
    if (!image || fallback.textContent.trim() !== '' || isCounter(image)) continue;
    const late = imageBefore(fallback);
    if (!late) {
      if (PARTS.has(fallback.parentNode?.localName ?? '')) unwrap(fallback);
    } else if (realSource(late) === undefined) copyAttributes(image, late);
  }
}

/** An image of one pixel. */
const isCounter = (image: PageElement): boolean =>
  ['width', 'height'].some((name) => /^[01](?:px)?$/.test(image.getAttribute(name) ?? ''));

function imageBefore(element: PageElement): PageElement | null {
  const before = elementBefore(element);
  return before?.localName === 'img' ? before : (before?.querySelector('img') ?? null);
}

function copyAttributes(from: PageElement, to: PageElement): void {
  for (const { name, value } of from.attributes) to.setAttribute(name, value);
}
