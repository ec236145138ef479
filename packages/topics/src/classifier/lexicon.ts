import { builtInRows } from '@trawl/base';
import { TOPICS } from '@trawl/contract';
import lexicon from './lexicon.tsv?raw';
import { type QueryText, readQuery, withoutAccents } from './text.ts';
import {
  BEGINNING_MIN,
  TERM_WORDS_MAX,
  TOPIC_WORDS_TABLE,
  type TopicWords,
} from './topic-words.ts';

/** A term of the lexicon, compiled. */
export interface Term {
  readonly kind: 'whole' | 'beginning' | 'anywhere';
  readonly text: string;
  /** Place in `TOPICS`. */
  readonly topic: number;
  readonly weight: number;
}

/**
 * Words that indicate a topic in languages without word vectors. They are inputs of the classifier:
 * for each topic, the weights of the terms found in a query are summed, and the training learns how
 * much a sum counts. Every query is compared with all languages, because a short query does not
 * show its language.
 */
export interface Lexicon {
  /** Keyed by their words, joined with spaces. */
  readonly whole: ReadonlyMap<string, Term>;
  /** Keyed by their prefix. */
  readonly beginnings: ReadonlyMap<string, Term>;
  readonly anywhere: readonly Term[];
}

/** Terms that match anywhere have letters other than Latin ones. */
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

let builtIn: Lexicon | undefined;

/** The lexicon that the model was trained with, compiled at the first call. */
export function builtInLexicon(): Lexicon {
  builtIn ??= compileLexicon([]);
  return builtIn;
}

/** The rows of `lexicon.tsv`. */
export const builtInTopicWords = (): readonly TopicWords[] =>
  builtInRows('lexicon.tsv', lexicon, TOPIC_WORDS_TABLE);

/**
 * The built-in lexicon with an operator's own words. If both have a term, the operator's counts.
 */
export function compileLexicon(own: readonly TopicWords[]): Lexicon {
  const builtInTerms = builtInTopicWords().flatMap(termsOf);
  const ownTerms = own.flatMap(termsOf);
  const byText = (kind: Term['kind']) =>
    new Map(
      [...builtInTerms, ...ownTerms]
        .filter((term) => term.kind === kind)
        .map((term) => [term.text, term]),
    );
  const ownAnywhere = ownTerms.filter(({ kind }) => kind === 'anywhere');
  const replaced = new Set(ownAnywhere.map(({ text }) => text));
  // a built-in term that two languages share counts for both, as in the training
  const anywhere = builtInTerms.filter(
    ({ kind, text }) => kind === 'anywhere' && !replaced.has(text),
  );
  return {
    whole: byText('whole'),
    beginnings: byText('beginning'),
    anywhere: [...anywhere, ...ownAnywhere],
  };
}

/** The terms of a row, without accents as in queries: many people omit them. */
function termsOf({ match, topic, weight, terms }: TopicWords): Term[] {
  const worth = { topic: TOPICS.indexOf(topic), weight };
  return terms.map((term) => {
    if (match === 'anywhere') return { ...worth, kind: 'anywhere', text: withoutAccents(term) };
    const text = readQuery(term.replace(/\*$/, '')).tokens.map(withoutAccents).join(' ');
    return { ...worth, kind: term.endsWith('*') ? 'beginning' : 'whole', text };
  });
}

/** The terms in a query, each once. */
export function findTerms(query: QueryText, { whole, beginnings, anywhere }: Lexicon): Term[] {
  const found = new Set<Term>();
  const words = query.tokens.map(withoutAccents);
  for (let from = 0; from < words.length; from += 1) {
    let text = '';
    for (let length = 1; length <= TERM_WORDS_MAX && from + length <= words.length; length += 1) {
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

function beginningOf(beginnings: Lexicon['beginnings'], text: string): Term | undefined {
  for (let length = text.length; length >= BEGINNING_MIN; length -= 1) {
    const term = beginnings.get(text.slice(0, length));
    if (term) return term;
  }
  return undefined;
}
