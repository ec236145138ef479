import { consentLanguages, spacedWords, UNEXPLAINED_MAX } from '@trawl/extract/consent-words';
import type { PageText, Sentence } from './diagnose-text.ts';

/** A title with more is a sentence. */
const TITLE_WORDS_MAX = 8;
/** A button has hardly more, or a line of two or three buttons. */
const BUTTON_WORDS_MAX = 12;
const BUTTONS_MAX = 200;
/** A button with the marks inside of it. */
const BUTTON_LENGTH = 400;

/**
 * Whether a page asks for consent and has hardly anything else: the site says of itself that it
 * keeps something on the visitor's machine, shares data or advertises, in sentences that are nearly
 * all about that, and there is a button that accepts.
 * @param html the markup in lower case
 */
export function asksForConsent(text: PageText, html: () => string): boolean {
  const said = text.sentences.filter(({ quoted }) => !quoted);
  const lines = said.map(({ text: line }) => spacedWords(line));
  const all = lines.join('\n');
  const titles = text.titles.map(spacedWords).filter((title) => wordsIn(title) <= TITLE_WORDS_MAX);
  return consentLanguages().some(({ has, begins, kindsIn, explains }) => {
    if (!has('we', all)) return false;
    if (titles.some((title) => has('about', title) || begins('ask', title))) return false;
    const isOther = ({ quoted, menu, text: line }: Sentence): boolean =>
      quoted || !(menu || text.titles.includes(line) || explains(spacedWords(line)));
    const others = text.sentences.filter(isOther).reduce((sum, { words }) => sum + words, 0);
    if (others > UNEXPLAINED_MAX) return false;
    const isButton = (line: string): boolean =>
      wordsIn(line) <= BUTTON_WORDS_MAX && has('accept', line);
    const isLine = ({ text: line, menu }: Sentence): boolean =>
      !menu && !/[.!?:]$/.test(line) && !text.titles.includes(line) && isButton(spacedWords(line));
    if (said.some(isLine)) return has('consent', all) && kindsIn(all) > 0;
    // without a button in the text, it may belong to a banner on a page about cookies
    return lines.some((line) => kindsIn(line) >= 2) && buttonsIn(html()).some(isButton);
  });
}

const wordsIn = (line: string): number => line.trim().split(' ').length;

/** What is on the buttons of a page, and on links, which may look like buttons. */
function buttonsIn(html: string): string[] {
  const found: string[] = [];
  for (const { 0: tag, index } of html.matchAll(/<(?:button|a|input)\b/g)) {
    if (found.length >= BUTTONS_MAX) break;
    const after = html.slice(index, index + BUTTON_LENGTH);
    const value = tag === '<input' ? /\svalue=["']?([^"'<>]{1,80})/.exec(after)?.[1] : undefined;
    const inside = after.split(/<\/(?:button|a)\b/, 1)[0] ?? '';
    found.push(spacedWords(value ?? inside.replace(/<[^<>]*>/g, ' ')));
  }
  return found;
}
