import { trimEndOf, trimStartOf } from '@trawl/contract';
import { countWords, ENOUGH_WORDS, type PageText, type Sentence } from './diagnose-text.ts';
import { PAGE_RULES, type PageRule } from './page-rules.ts';

/** No family takes a page with more words than this, so longer ones are not compared at all. */
const MAX_WORDS = Math.max(...PAGE_RULES.map((rule) => rule.maxTotal));
/** Beside a title and no phrase. */
const MAX_WORDS_BESIDE_TITLE = 20;
/** Beside a mark of the markup, such as the site's name. */
const MAX_WORDS_BESIDE_MARK = 12;
const MAX_WORDS_BESIDE_WEAK_TITLE = 3;
/** A phrase as short as this must be half of its sentence. */
const SHORT_PHRASE_WORDS = 3;
/** `Sorry, but`, `We're sorry but my-app`, a host name. */
const MAX_WORDS_BEFORE_PHRASE = 6;

/** What may be around a title, in a text whose blanks are single. */
const OPENING_SIGNS = ` "'(`;
const CLOSING_SIGNS = ` .!?…"')`;

/** The family that a page belongs to, if any. */
export function findWall(text: PageText, html: string): PageRule | undefined {
  const spoken = sum(text.sentences.filter((sentence) => !sentence.menu));
  if (spoken > MAX_WORDS || text.words > ENOUGH_WORDS) return undefined;
  return PAGE_RULES.find((rule) => spoken <= rule.maxTotal && belongs(rule, text, html));
}

function belongs(rule: PageRule, text: PageText, html: string): boolean {
  const said = text.sentences.filter((sentence) => !sentence.quoted);
  if (said.some((sentence) => contains(rule.about, sentence.text))) return false;
  if (rule.needsLabel && !hasLabel(rule, said, html)) return false;
  const unproven = text.sentences.filter((sentence) => !explained(rule, sentence, text.titles));
  const unexplained = unproven.filter(
    (sentence) => sentence.quoted || !contains(rule.topics, sentence.text),
  );
  if (sum(unexplained) > rule.maxWords) return false;
  if (said.some((sentence) => opensWithPhrase(rule, sentence.text))) return true;
  if (text.titles.some((title) => opensWithPhrase(rule, title))) return true;
  if (sum(unexplained) > MAX_WORDS_BESIDE_TITLE) return false;
  if (text.titles.some((title) => isTitle(rule.titles, title))) return true;
  const rest = sum(unproven);
  const isWeak = text.titles.some((title) => isTitle(rule.weakTitles, title));
  if (isWeak && rest <= MAX_WORDS_BESIDE_WEAK_TITLE) return true;
  return rest <= MAX_WORDS_BESIDE_MARK && contains(rule.marks, html);
}

/** A button in the text, or in the markup, where whoever made the text left buttons out. */
function hasLabel(rule: PageRule, said: readonly Sentence[], html: string): boolean {
  if (said.some((sentence) => isLabels(rule, sentence.text))) return true;
  return (rule.labels ?? []).some((label) => html.includes(`>${label}<`));
}

const sum = (sentences: readonly Sentence[]): number =>
  sentences.reduce((words, sentence) => words + sentence.words, 0);

const contains = (parts: readonly string[] | undefined, text: string): boolean =>
  parts?.some((part) => text.includes(part)) ?? false;

function explained(rule: PageRule, sentence: Sentence, titles: readonly string[]): boolean {
  if (sentence.quoted) return false;
  const { text, menu } = sentence;
  return (
    menu ||
    titles.includes(text) ||
    contains(rule.phrases, text) ||
    isTitle(rule.titles, text) ||
    isTitle(rule.weakTitles, text) ||
    contains(rule.hints, text) ||
    isLabels(rule, text)
  );
}

function opensWithPhrase(rule: PageRule, text: string): boolean {
  return (rule.phrases ?? []).some((phrase) => {
    const at = text.indexOf(phrase);
    if (at < 0) return false;
    const before = text.slice(0, at);
    if (/["'“”„«»「『]\s?$/.test(before)) return false;
    if (countWords(before) > MAX_WORDS_BEFORE_PHRASE) return false;
    const words = countWords(phrase);
    return rule.needsLabel || words > SHORT_PHRASE_WORDS || words * 2 >= countWords(text);
  });
}

/** The title as a whole, or one of its parts beside the site's name. */
function isTitle(titles: readonly string[] | undefined, text: string): boolean {
  if (!titles) return false;
  const parts = [text, ...text.split(/\s[|–—:·•»«-]\s|\s?[|:]\s/)];
  return parts.some((part) => titles.includes(bareTitle(part)));
}

const bareTitle = (part: string): string =>
  trimEndOf(trimStartOf(part, OPENING_SIGNS), CLOSING_SIGNS);

/** A line of nothing but buttons, `accept all  reject all  more options`. */
function isLabels(rule: PageRule, text: string): boolean {
  const labels = rule.labels ?? [];
  if (!contains(labels, text)) return false;
  const rest = labels.reduce((left, label) => left.replaceAll(label, ' '), text);
  return countWords(rest) <= 2;
}
