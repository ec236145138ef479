import { closest, isElement, isLink } from '../dom/dom.ts';
import type { Passage } from './passages.ts';
import { placesOf } from './sign-places.ts';

/** What a passage looks like. */
export const TEXT_SIGNS = [
  'element',
  'words',
  'characters',
  'linked',
  'ending',
  'sentences',
  'capitals',
  'in_title',
  'in_description',
  'copies',
] as const;
const AT = placesOf(TEXT_SIGNS);

const ELEMENTS = [
  'p',
  'li',
  'h1',
  'h2',
  'h3',
  'h4',
  'td',
  'div',
  'span',
  'a',
  'pre',
  'blockquote',
  'figcaption',
  'dd',
  'dt',
  'table',
  'label',
  'section',
  'article',
  'body',
];
/** Elements that are treated as another one. */
const SAME: Readonly<Record<string, string>> = {
  h5: 'h4',
  h6: 'h4',
  th: 'td',
  summary: 'dt',
  legend: 'label',
};
/** Of a passage; only its start is read closely. */
const CHARACTERS = 4_000;

/** A passage with its words. */
export interface ReadPassage {
  readonly passage: Passage;
  readonly words: readonly string[];
  /** Its start in lower case. */
  readonly small: string;
  /** Of its characters without spaces, the share that is in links. */
  readonly linked: number;
}

const IN_TITLE = 1;
const IN_DESCRIPTION = 2;

/** Where words of a page's title and description are: one look for both. */
export function knownWords(
  title: ReadonlySet<string>,
  description: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  for (const word of title) known.set(word, IN_TITLE);
  for (const word of description) known.set(word, (known.get(word) ?? 0) | IN_DESCRIPTION);
  return known;
}

/** In lower case. */
export interface PageWords {
  /** By word of its title or description: `IN_TITLE`, `IN_DESCRIPTION` or both. */
  readonly known: ReadonlyMap<string, number>;
  /** How often each text is on the page. */
  readonly copies: ReadonlyMap<string, number>;
}

/** Runs of characters between spaces and marks, in lower case. */
export const wordsOf = (text: string): readonly string[] => wordsIn(text.toLowerCase());

const wordsIn = (small: string): readonly string[] => small.match(/[^\s!-/:-@[-^`{-~]+/g) ?? [];

export function readPassage(passage: Passage): ReadPassage {
  const { text, container } = passage;
  let linked = 0;
  let size = 0;
  for (const node of passage.nodes) {
    if (!isElement(node)) size += node.textContent.length;
    else {
      linked += node.measure?.linked ?? 0;
      size += node.measure?.text ?? 0;
    }
  }
  const small = text.slice(0, CHARACTERS).toLowerCase();
  return {
    passage,
    words: wordsIn(small),
    small,
    linked: closest(container, isLink) ? 1 : Math.min(1, linked / Math.max(1, size)),
  };
}

export function textSigns(
  { passage, words, small, linked }: ReadPassage,
  page: PageWords,
): readonly number[] {
  const text = passage.text.slice(0, CHARACTERS);
  const count = Math.max(1, words.length);
  let inTitle = 0;
  let inDescription = 0;
  for (const word of words) {
    const places = page.known.get(word) ?? 0;
    if (places & IN_TITLE) inTitle += 1;
    if (places & IN_DESCRIPTION) inDescription += 1;
  }
  const signs: number[] = TEXT_SIGNS.map(() => 0);
  signs[AT.element] = ELEMENTS.indexOf(elementOf(passage));
  signs[AT.words] = Math.log1p(words.length);
  signs[AT.characters] = Math.log1p(passage.text.length);
  signs[AT.linked] = linked;
  signs[AT.ending] = endingOf(text);
  signs[AT.sentences] = Math.log1p(text.match(/[.!?](?:\s|$)/g)?.length ?? 0);
  signs[AT.capitals] = capitalsOf(text, small) / count;
  signs[AT.in_title] = inTitle / count;
  signs[AT.in_description] = inDescription / count;
  signs[AT.copies] = page.copies.get(passage.text) ?? 1;
  return signs;
}

/** How many words start with a capital letter. */
function capitalsOf(text: string, small: string): number {
  let count = 0;
  let at = 0;
  do {
    if (at < text.length && text.charCodeAt(at) !== small.charCodeAt(at)) count += 1;
    at = text.indexOf(' ', at) + 1;
  } while (at > 0);
  return count;
}

function elementOf({ container }: Passage): string {
  return SAME[container.localName] ?? container.localName;
}

/** 2 = the end of a sentence, 1 = another mark, 0 = none. */
function endingOf(text: string): number {
  const last = text.at(-1) ?? '';
  if ('.!?…'.includes(last)) return 2;
  return ':"”)'.includes(last) ? 1 : 0;
}
