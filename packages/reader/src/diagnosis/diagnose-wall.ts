import { trimEndOf, trimStartOf } from '@trawl/contract/texts';
import { consentLanguages, spacedWords, UNEXPLAINED_MAX } from '@trawl/extract/consent-words';
import { countWords } from '@trawl/extract/words';
import { ENOUGH_WORDS, type PageText, type Sentence } from './diagnose-text.ts';
import type { PageFamily } from './page-families.ts';

/** The most words with a title and without a phrase. */
const MAX_WORDS_WITH_TITLE = 20;
/** The most words with a mark in the markup, such as the site's name. */
const MAX_WORDS_WITH_MARK = 12;
const MAX_WORDS_WITH_WEAK_TITLE = 3;
/** A phrase this short must be half of its sentence. */
const SHORT_PHRASE_WORDS = 3;
/** `Sorry, but`, `We're sorry but my-app`, a host name. */
const MAX_WORDS_BEFORE_PHRASE = 6;

/** Signs that may be around a title. */
const OPENING_SIGNS = ` "'(`;
const CLOSING_SIGNS = ` .!?…"')`;

/** The family of walls that a page belongs to, if any. */
export function findWall(
  text: PageText,
  html: () => string,
  families: readonly PageFamily[],
): PageFamily | undefined {
  const spoken = sum(text.sentences.filter((sentence) => !sentence.menu));
  if (text.words > ENOUGH_WORDS) return undefined;
  return families.find(
    (family) =>
      (spoken <= family.maxTotal && isOfFamily(family, text, html)) ||
      isTitledAndMarked(family, text, html),
  );
}

/**
 * A site's own words may fill such a page, but its title and its markup together are those of no
 * other.
 */
function isTitledAndMarked(family: PageFamily, text: PageText, html: () => string): boolean {
  const titles = [...family.titles, ...family.weakTitles];
  return text.titles.some((title) => isTitle(titles, title)) && contains(family.marks, html());
}

function isOfFamily(family: PageFamily, text: PageText, html: () => string): boolean {
  const said = text.sentences.filter((sentence) => !sentence.quoted);
  if (said.some((sentence) => contains(family.about, sentence.text))) return false;
  if (family.hasShape && asksForConsent(text, html)) return true;
  const unproven = text.sentences.filter((sentence) => !isExplained(family, sentence, text.titles));
  const unexplained = unproven.filter(
    (sentence) => sentence.quoted || !contains(family.topics, sentence.text),
  );
  if (sum(unexplained) > family.maxWords) return false;
  if (family.needsLabel && !hasLabel(family, said, html())) return false;
  if (said.some((sentence) => opensWithPhrase(family, sentence.text))) return true;
  if (text.titles.some((title) => opensWithPhrase(family, title))) return true;
  if (sum(unexplained) > MAX_WORDS_WITH_TITLE) return false;
  if (text.titles.some((title) => isTitle(family.titles, title))) return true;
  const rest = sum(unproven);
  const isWeak = text.titles.some((title) => isTitle(family.weakTitles, title));
  if (isWeak && rest <= MAX_WORDS_WITH_WEAK_TITLE) return true;
  return rest <= MAX_WORDS_WITH_MARK && contains(family.marks, html());
}

/** A button in the text, or in the markup when the text lacks buttons. */
function hasLabel(family: PageFamily, said: readonly Sentence[], html: string): boolean {
  if (said.some((sentence) => isLabels(family, sentence.text))) return true;
  return family.labels.some((label) => html.includes(`>${label}<`));
}

const sum = (sentences: readonly Sentence[]): number =>
  sentences.reduce((words, sentence) => words + sentence.words, 0);

const contains = (parts: readonly string[], text: string): boolean =>
  parts.some((part) => text.includes(part));

function isExplained(family: PageFamily, sentence: Sentence, titles: readonly string[]): boolean {
  if (sentence.quoted) return false;
  const { text, menu } = sentence;
  return (
    menu ||
    titles.includes(text) ||
    contains(family.phrases, text) ||
    isTitle(family.titles, text) ||
    isTitle(family.weakTitles, text) ||
    contains(family.hints, text) ||
    isLabels(family, text)
  );
}

function opensWithPhrase(family: PageFamily, text: string): boolean {
  return family.phrases.some((phrase) => {
    const at = text.indexOf(phrase);
    if (at < 0) return false;
    const before = text.slice(0, at);
    if (/["'“”„«»「『]\s?$/.test(before)) return false;
    if (countWords(before) > MAX_WORDS_BEFORE_PHRASE) return false;
    const words = countWords(phrase);
    return family.needsLabel || words > SHORT_PHRASE_WORDS || words * 2 >= countWords(text);
  });
}

/** Whether a text is the whole title, or a part of it without the site's name. */
function isTitle(titles: readonly string[], text: string): boolean {
  if (titles.length === 0) return false;
  const parts = [text, ...text.split(/\s[|–—:·•»«-]\s|\s?[|:]\s/)];
  return parts.some((part) => titles.includes(bareTitle(part)));
}

const bareTitle = (part: string): string =>
  trimEndOf(trimStartOf(part, OPENING_SIGNS), CLOSING_SIGNS);

/** A line that only has buttons: `accept all  reject all  more options`. */
function isLabels(family: PageFamily, text: string): boolean {
  if (!contains(family.labels, text)) return false;
  const rest = family.labels.reduce((left, label) => left.replaceAll(label, ' '), text);
  return countWords(rest) <= 2;
}

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
function asksForConsent(text: PageText, html: () => string): boolean {
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
