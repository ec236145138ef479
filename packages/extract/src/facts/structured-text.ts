import type { JsonObject } from '@trawl/contract';
import { titleText } from '@trawl/providers/text';
import type { PageElement } from '../dom/dom.ts';
import { appendText, createElement } from '../dom/tree.ts';
import { mainObject } from './json-ld.ts';

/** Shorter ones are summaries. */
const CHARACTERS_MIN = 200;

/**
 * The full text that a page gives as structured data. Its visible markup may only be rendered by a
 * script.
 */
export function structuredText(objects: readonly JsonObject[]): PageElement | null {
  const main = mainObject(objects) ?? {};
  const text = [main.articleBody, main.text, main.description].find(
    (value) => typeof value === 'string' && value.trim().length >= CHARACTERS_MIN,
  );
  if (typeof text !== 'string') return null;
  const root = createElement('div');
  // some pages put markup into it
  for (const part of text.split(/\n|<(?:br|\/p|\/li|\/h\d|\/div)\b[^<>]{0,500}>/i)) {
    const line = titleText(part);
    if (line === null) continue;
    const paragraph = createElement('p');
    appendText(paragraph, line);
    root.append(paragraph);
  }
  return root;
}
