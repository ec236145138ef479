import { lineOf, type PageDocument, type PageElement } from './dom.ts';
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
  for (const line of withoutMarkup(text).split(/\n+/)) {
    if (lineOf(line) === '') continue;
    const paragraph = createElement('p');
    appendText(paragraph, lineOf(line));
    stated.append(paragraph);
  }
  return stated;
}

/** Some put HTML into it, others HTML that is escaped once more. */
function withoutMarkup(text: string): string {
  return text
    .replace(/<(?:br|\/p|\/li|\/h\d|\/div)\b[^>]*>/gi, '\n')
    .replace(/<[a-z/][^>]*>/gi, '');
}
