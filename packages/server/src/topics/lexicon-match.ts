import { TOPICS } from '@trawl/contract';
import { LEXICON } from './lexicon.ts';
import type { LanguageLexicon } from './lexicon-entry.ts';
import { type QueryText, readQuery, withoutAccents } from './text.ts';

interface Term {
  readonly text: string;
  /** Place in `TOPICS`. */
  readonly topic: number;
  readonly weight: number;
}

interface Terms {
  /** By their words, joined with spaces. */
  readonly whole: ReadonlyMap<string, Term>;
  /** By how they begin. */
  readonly beginnings: ReadonlyMap<string, Term>;
  readonly anywhere: readonly Term[];
}

const WORDS_MAX = 3;
const BEGINNING_MIN = 3;
/** Latin letters alone hold no term that counts anywhere. */
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

let compiled: Terms | undefined;

/** The terms of the lexicon that a query holds, each once. */
export function findTerms(query: QueryText): Term[] {
  compiled ??= compile();
  const { whole, beginnings, anywhere } = compiled;
  const found = new Set<Term>();
  const words = query.tokens.map(withoutAccents);
  for (let from = 0; from < words.length; from += 1) {
    let text = '';
    for (let length = 1; length <= WORDS_MAX && from + length <= words.length; length += 1) {
      text = length === 1 ? (words[from] ?? '') : `${text} ${words[from + length - 1]}`;
      const term = whole.get(text) ?? beginningOf(beginnings, text);
      if (term) found.add(term);
    }
  }
  if (OTHER_SCRIPT.test(query.lower)) {
    for (const term of anywhere) if (query.lower.includes(term.text)) found.add(term);
  }
  return [...found];
}

function beginningOf(beginnings: Terms['beginnings'], text: string): Term | undefined {
  for (let length = text.length; length >= BEGINNING_MIN; length -= 1) {
    const term = beginnings.get(text.slice(0, length));
    if (term) return term;
  }
  return undefined;
}

function compile(): Terms {
  const whole = new Map<string, Term>();
  const beginnings = new Map<string, Term>();
  const anywhere: Term[] = [];
  for (const language of LEXICON) {
    for (const { text, topic, weight } of termsOf(language)) {
      if (language.match === 'anywhere') {
        anywhere.push({ text: withoutAccents(text), topic, weight });
        continue;
      }
      const words = readQuery(text.replace(/\*$/, '')).tokens.map(withoutAccents).join(' ');
      const place = text.endsWith('*') ? beginnings : whole;
      place.set(words, { text: words, topic, weight });
    }
  }
  return { whole, beginnings, anywhere };
}

function termsOf({ terms }: LanguageLexicon): Term[] {
  return TOPICS.flatMap((name, topic) =>
    Object.entries(terms[name]).flatMap(([weight, list]) =>
      list.split(',').flatMap((text) => {
        const plain = text.replace(/\s+/g, ' ').trim();
        return plain === '' ? [] : [{ text: plain, topic, weight: Number(weight) }];
      }),
    ),
  );
}
