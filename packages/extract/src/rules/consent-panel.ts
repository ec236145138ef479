import type { PageElement } from '../dom/dom.ts';
import type { Measures } from '../dom/measure.ts';
import { consentLanguages, spacedWords, UNEXPLAINED_MAX } from '../words/consent-words.ts';
import { countWords } from '../words/count-words.ts';

const PANELS = new Set(['div', 'section', 'aside', 'form', 'footer', 'header', 'p']);
/** In characters without spaces. */
const PANEL_MIN = 40;
const PANEL_MAX = 3_000;

/**
 * Whether an element asks for consent, whatever its name: it has buttons, and hardly a sentence
 * that is not about what is kept on the visitor's machine, with whom and what for.
 */
export function isConsentPanel(element: PageElement, measures: Measures): boolean {
  if (element.controls === 0 || !PANELS.has(element.localName)) return false;
  const { text } = measures(element);
  if (text < PANEL_MIN || text > PANEL_MAX) return false;
  if (element.querySelector('h1, pre, article, main, blockquote')) return false;
  const sentences = element.textContent.split(/[.!?:\n]+/);
  const lines = sentences.map(spacedWords);
  const all = lines.join('\n');
  return consentLanguages().some(({ has, kindsIn, explains }) => {
    if (!has('consent', all) || !has('storage', all) || kindsIn(all) < 2) return false;
    const others = sentences.filter((_, at) => !explains(lines[at] ?? ''));
    return others.reduce((sum, sentence) => sum + countWords(sentence), 0) <= UNEXPLAINED_MAX;
  });
}
