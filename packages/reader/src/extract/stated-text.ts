import { titleText } from '@trawl/providers/text';
import type { PageDocument, PageElement } from './dom.ts';
import { mainObject, readJsonLd } from './json-ld.ts';
import { appendText, createElement } from './tree.ts';

/** Shorter ones are summaries. */
const CHARACTERS_MIN = 200;

/** The text that a page states for machines, where it does so in full; its own markup may come by script alone. */
export function statedText(document: PageDocument): PageElement | null {
  const main = mainObject(readJsonLd(document)) ?? {};
  const text = [main.articleBody, main.text, main.description].find(
    (value) => typeof value === 'string' && value.trim().length >= CHARACTERS_MIN,
  );
  if (typeof text !== 'string') return null;
  const stated = createElement('div');
  // some put markup into it
  for (const part of text.split(/\n|<(?:br|\/p|\/li|\/h\d|\/div)\b[^<>]{0,500}>/i)) {
    const line = titleText(part);
    if (line === null) continue;
    const paragraph = createElement('p');
    appendText(paragraph, line);
    stated.append(paragraph);
  }
  return stated;
}
