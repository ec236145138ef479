import type { PageElement } from '../dom/dom.ts';
import type { Measures } from '../dom/measure.ts';
import { consentLanguages, spacedWords, UNEXPLAINED_MAX } from '../words/consent-words.ts';
import { countWords } from '../words/count-words.ts';

const PANELS = new Set(['div', 'section', 'aside', 'form', 'footer', 'header', 'p']);
/** In characters without spaces. */
const PANEL_MIN = 40;
const PANEL_MAX = 3_000;

/** Elements whose text has no words of consent, so that what is in them has none either. */
const without = new WeakSet<PageElement>();

/**
 * Whether an element asks for consent, whatever its name: it has buttons, and hardly a sentence
 * that is not about what is kept on the visitor's machine, with whom and what for. Asked of the
 * elements of a page from the outermost on.
 */
export function isConsentPanel(element: PageElement, measures: Measures): boolean {
  if (element.controls === 0) return false;
  if (element.parentNode && without.has(element.parentNode)) {
    without.add(element);
    return false;
  }
  if (!PANELS.has(element.localName)) return false;
  const { text } = measures(element);
  if (text < PANEL_MIN || text > PANEL_MAX) return false;
  const words = spacedWords(element.textContent);
  const asked = consentLanguages().filter(
    ({ has }) => has('consent', words) && has('storage', words),
  );
  if (asked.length === 0) without.add(element);
  if (asked.length === 0 || element.querySelector('h1, pre, article, main, blockquote'))
    return false;
  const sentences = element.textContent.split(/[.!?:\n]+/);
  return asked.some(({ kindsIn, explains }) => {
    if (kindsIn(words) < 2) return false;
    const others = sentences.filter((sentence) => !explains(spacedWords(sentence)));
    return others.reduce((sum, sentence) => sum + countWords(sentence), 0) <= UNEXPLAINED_MAX;
  });
}
