import { readFileSync } from 'node:fs';
import { builtInRows } from '@trawl/base';
import { TOPICS } from '@trawl/contract';
import { z } from 'zod';
import type { Example } from './examples.ts';
import { pick, type Random } from './random.ts';

const LANGUAGE = z.enum(['en', 'de', 'fr', 'es', 'pt']);
const GROUPS = {
  people: 4_000,
  companies: 4_000,
  contrast: 4_000,
  everyday: 1_500,
  factual: 1_250,
  claim: 250,
  event: 1_500,
  money: 1_500,
  filing: 1_500,
  paper: 1_500,
} as const;
/** How many queries each group has in another language than English, as a share of its number. */
const OTHER_LANGUAGE = 0.08;
const LOWER_CASE = 0.45;
const LEAD_IN = 0.12;
const TRIES = 4;

/** One row of `forms.tsv`. */
export type Form = z.output<typeof FORM>;

const FORM = z.object({
  group: z.enum(Object.keys(GROUPS) as [keyof typeof GROUPS, ...(keyof typeof GROUPS)[]]),
  topic: z.enum(TOPICS),
  language: LANGUAGE,
  text: z.string().min(1),
});
const WORDS = z.object({ slot: z.string().min(1), language: LANGUAGE, words: z.string().min(1) });

/** The words of a slot, under `language slot`. */
export type FormWords = ReadonlyMap<string, readonly string[]>;

/** Words of these slots have capitals, unless the query is in lower case. */
const NAMES = new Set(
  (
    'place place2 company company2 investor accelerator school tongue tongue2 country country2 ' +
    'month team team2 first last myth body'
  ).split(' '),
);

/** Begins with a lead-in or a question of its own. */
const ASKS = /^(?:\p{Lu}|(?:who|which|what|any|a|list|find) )/u;

/** Put before a description, such as `looking for` before `welders in oslo`. */
const LEAD_INS: Readonly<Record<Form['language'], readonly string[]>> = {
  en: [
    'find ',
    'find me ',
    'looking for ',
    'i need ',
    'list of ',
    'search for ',
    'show me ',
    'give me a list of ',
  ],
  de: ['suche ', 'finde ', 'ich suche ', 'liste: ', 'zeig mir '],
  fr: ['cherche ', 'trouve ', 'je cherche ', 'liste de ', 'montre-moi '],
  es: ['busco ', 'encuentra ', 'necesito ', 'lista de ', 'muéstrame '],
  pt: ['procuro ', 'encontre ', 'preciso de ', 'lista de ', 'mostre '],
};

export function readForms(path: string): readonly Form[] {
  return builtInRows('forms.tsv', readFileSync(path, 'utf8'), { row: FORM, maxRows: 5_000 });
}

export function readFormWords(path: string): FormWords {
  const rows = builtInRows('form-words.tsv', readFileSync(path, 'utf8'), {
    row: WORDS,
    maxRows: 2_000,
  });
  return new Map(rows.map((row) => [`${row.language} ${row.slot}`, row.words.split(' | ')]));
}

/**
 * Queries that describe what they ask for, made of forms and words: the same ones for the same
 * `random`.
 */
export function filledForms(forms: readonly Form[], words: FormWords, random: Random): Example[] {
  return Object.entries(GROUPS).flatMap(([group, count]) =>
    LANGUAGE.options.flatMap((language) => {
      const some = forms.filter((form) => form.group === group && form.language === language);
      const wanted = Math.round(language === 'en' ? count : count * OTHER_LANGUAGE);
      return some.length === 0 ? [] : different(some, wanted, words, random);
    }),
  );
}

/** Every form in turn, so that each is there as often as any other. */
function different(
  forms: readonly Form[],
  count: number,
  words: FormWords,
  random: Random,
): Example[] {
  const found = new Map<string, Example>();
  for (let turn = 0; found.size < count && turn < count * TRIES; turn += 1) {
    const form = forms[turn % forms.length];
    if (form === undefined) break;
    const query = styled(form, words, random);
    const { topic, language } = form;
    found.set(query.toLowerCase(), { topic, language, style: 'form', query, file: 'forms' });
  }
  return [...found.values()];
}

function styled({ group, language, text }: Form, words: FormWords, random: Random): string {
  const isLower = random.next() < LOWER_CASE;
  const taken = new Map<string, string>();
  const word = (slot: string): string => {
    const value = another(slot, language, words, taken, random);
    taken.set(slot, value);
    return isLower || !NAMES.has(slot) ? value : capitals(value);
  };
  const filled = fill(text, word, random).replace(/\s+/g, ' ').trim();
  const isDescription = group === 'people' || group === 'companies';
  const withLead =
    isDescription && !ASKS.test(filled) && random.next() < LEAD_IN
      ? `${pick(LEAD_INS[language], random)}${filled}`
      : filled;
  if (isLower) return withLead.toLowerCase();
  return random.next() < 0.5
    ? withLead
    : withLead.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
}

/**
 * A word for a slot; for `role2` one of `role` that `role` did not get, unless the slot has a list
 * of its own.
 */
function another(
  slot: string,
  language: Form['language'],
  words: FormWords,
  taken: ReadonlyMap<string, string>,
  random: Random,
): string {
  const list = (name: string) => words.get(`${language} ${name}`) ?? words.get(`en ${name}`);
  const base = slot.replace(/2$/, '');
  const choices = list(slot) ?? list(base);
  if (choices === undefined) throw new Error(`form-words.tsv has no words for "${slot}"`);
  const others = choices.filter((choice) => choice !== taken.get(base));
  return pick(others.length > 0 ? others : choices, random);
}

/** Replaces the innermost parts first, until none is left. */
function fill(text: string, word: (slot: string) => string, random: Random): string {
  const INNERMOST = /\{([^{}]+)\}|\[([^[\](){}]*)\]|\(([^[\](){}|]*(?:\|[^[\](){}|]*)+)\)/;
  let filled = text;
  for (let match = INNERMOST.exec(filled); match !== null; match = INNERMOST.exec(filled)) {
    const [whole, slot, optional, choices = ''] = match;
    let part: string;
    if (slot !== undefined) part = word(slot);
    else if (optional !== undefined) part = random.next() < 0.5 ? optional : '';
    else part = pick(choices.split('|'), random);
    filled = filled.slice(0, match.index) + part + filled.slice(match.index + whole.length);
  }
  return filled;
}

const capitals = (text: string): string =>
  text.replace(/(?<![\p{L}\p{N}'])\p{Ll}/gu, (letter) => letter.toUpperCase());
