import { type TableFormat, tableLines } from '@trawl/base';
import { z } from 'zod';
import wordsTable from './consent-words.tsv?raw';
import type { PageText, Sentence } from './diagnose-text.ts';

/** Words that no sentence about consent explains. */
const OTHER_WORDS_MAX = 20;
/** A title with more is a sentence. */
const TITLE_WORDS_MAX = 8;
/** A button has hardly more, or a line of two or three buttons. */
const BUTTON_WORDS_MAX = 12;
const BUTTONS_MAX = 200;
/** A button with the marks inside of it. */
const BUTTON_LENGTH = 400;

/** The stems of one language by part, as they are looked for in ` words with blanks around `. */
type Stems = Readonly<Record<string, readonly string[]>>;

const ROW = z.object({
  language: z.string().regex(/^(?:any|[a-z]{2})$/, 'must be a language code such as de, or any'),
  part: z.enum(['storage', 'consent', 'others', 'purpose', 'near', 'we', 'accept', 'about', 'ask']),
  stems: z.string().regex(/^\S+(?: \S+)*$/, 'must be stems with blanks between them'),
});
/** The format of `consent-words.tsv`. */
export const CONSENT_WORDS: TableFormat<typeof ROW> = { row: ROW, maxRows: 1_000 };

const PROVING = ['storage', 'consent', 'others', 'purpose'] as const;
const EXPLAINING = [...PROVING, 'near', 'accept'] as const;

/** Parts whose shortest stems are stems too. */
const EXPLAINING_ONLY: ReadonlySet<string> = new Set([...PROVING, 'near']);
/** The longest stem that is a whole word in the other parts. */
const WHOLE_MAX = 3;

let languages: readonly Stems[] | undefined;

/** Read at the first call. A test checks the table. */
function stemsByLanguage(): readonly Stems[] {
  if (languages) return languages;
  const found = new Map<string, Record<string, readonly string[]>>();
  const [, ...rows] = tableLines(wordsTable);
  for (const { cells } of rows) {
    const [language = '', part = '', list = ''] = cells;
    const stems = list.split(' ').map((stem) => {
      const words = stem.replaceAll('_', ' ');
      if (words.startsWith('*')) return words.slice(1);
      const isWhole = !EXPLAINING_ONLY.has(part) && words.length <= WHOLE_MAX;
      return isWhole ? ` ${words} ` : ` ${words}`;
    });
    found.set(language, { ...found.get(language), [part]: stems });
  }
  const { any, ...own } = Object.fromEntries(found);
  languages = Object.values(own).map((stems) => {
    const common = Object.entries(any ?? {}).map(([part, more]) => [
      part,
      [...(stems[part] ?? []), ...more],
    ]);
    return { ...stems, ...Object.fromEntries(common) };
  });
  return languages;
}

/**
 * Whether a page asks for consent and has hardly anything else: the site says of itself that it
 * keeps something on the visitor's machine, shares data or advertises, in sentences that are nearly
 * all about that, and there is a button that accepts.
 * @param html the markup in lower case
 */
export function asksForConsent(text: PageText, html: () => string): boolean {
  const said = text.sentences.filter(({ quoted }) => !quoted);
  const lines = said.map(({ text: line }) => spaced(line));
  const all = lines.join('\n');
  return stemsByLanguage().some((stems) => {
    const has = (part: string, line: string): boolean =>
      (stems[part] ?? []).some((stem) => line.includes(stem));
    const is = (part: string): boolean => has(part, all);
    if (!is('consent') || !is('we')) return false;
    const titles = text.titles.map(spaced).filter((title) => wordsIn(title) <= TITLE_WORDS_MAX);
    const isAbout = (title: string): boolean =>
      has('about', title) || (stems.ask ?? []).some((stem) => title.startsWith(stem));
    if (titles.some(isAbout)) return false;
    const isOther = ({ quoted, menu, text: line }: Sentence): boolean =>
      quoted ||
      !(menu || text.titles.includes(line) || EXPLAINING.some((part) => has(part, spaced(line))));
    const others = text.sentences.filter(isOther).reduce((sum, { words }) => sum + words, 0);
    if (others > OTHER_WORDS_MAX) return false;
    const isButton = (line: string): boolean =>
      wordsIn(line) <= BUTTON_WORDS_MAX && has('accept', line);
    const isLine = ({ text: line, menu }: Sentence): boolean =>
      !menu && !/[.!?:]$/.test(line) && !text.titles.includes(line) && isButton(spaced(line));
    if (said.some(isLine)) return is('storage') || is('others') || is('purpose');
    // without a button in the text, it may belong to a banner on a page about cookies
    const isCore = (line: string): boolean =>
      ['storage', 'others', 'purpose'].filter((part) => has(part, line)).length >= 2;
    return lines.some(isCore) && buttonsIn(html()).some(isButton);
  });
}

/** The words with a blank around each. */
const spaced = (text: string): string => ` ${text.replace(/[^\p{L}\p{N}']+/gu, ' ').trim()} `;
const wordsIn = (line: string): number => line.trim().split(' ').length;

/** What is on the buttons of a page, and on links, which may look like buttons. */
function buttonsIn(html: string): string[] {
  const found: string[] = [];
  for (const { 0: tag, index } of html.matchAll(/<(?:button|a|input)\b/g)) {
    if (found.length >= BUTTONS_MAX) break;
    const after = html.slice(index, index + BUTTON_LENGTH);
    const value =
      tag === '<input' ? /^[^<>]{0,300}\svalue=["']?([^"'<>]{1,80})/.exec(after)?.[1] : '';
    const inside = after.split(/<\/(?:button|a)\b/, 1)[0] ?? '';
    found.push(spaced(value || inside.replace(/<[^<>]*>/g, ' ')));
  }
  return found;
}
