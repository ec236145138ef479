import { tableLines } from '@trawl/base';
import wordsTable from './consent-words.tsv?raw';

const PROVING = ['storage', 'consent', 'others', 'purpose'] as const;
const EXPLAINING = [...PROVING, 'near', 'accept'] as const;
export type ConsentPart = (typeof EXPLAINING)[number] | 'we' | 'about' | 'ask';

/**
 * Words in which sites ask for consent, in one language. Lines are as `spacedWords` returns them.
 */
export interface ConsentLanguage {
  has(part: ConsentPart, line: string): boolean;
  begins(part: ConsentPart, line: string): boolean;
  /** How many of the kinds of words prove something that are in a line, `consent` left out. */
  kindsIn(line: string): number;
  /** Whether a line is about consent at all. */
  explains(line: string): boolean;
}

/** Words that no sentence about consent explains, on a page or in a part of one. */
export const UNEXPLAINED_MAX = 20;

/** Parts whose shortest stems are stems too. */
const OPEN_PARTS: ReadonlySet<string> = new Set([...PROVING, 'near']);
/** The longest stem that is a whole word in the other parts. */
const WHOLE_MAX = 3;

let languages: readonly ConsentLanguage[] | undefined;
let storageStems: readonly string[] | undefined;

/**
 * Whether a line has a word of any language for what is kept on a machine. Few have one, and no
 * other line asks for consent.
 */
export function namesStorage(line: string): boolean {
  storageStems ??= [
    ...new Set(
      [...tableLines(wordsTable)].flatMap(({ cells: [, part = '', list = ''] }) =>
        part === 'storage' ? list.split(' ').map((stem) => readStem(stem, part)) : [],
      ),
    ),
  ];
  return storageStems.some((stem) => line.includes(stem));
}

/** Read at the first call. A test checks the table. */
export function consentLanguages(): readonly ConsentLanguage[] {
  if (languages) return languages;
  const found = new Map<string, Map<string, readonly string[]>>();
  const [, ...rows] = tableLines(wordsTable);
  for (const { cells } of rows) {
    const [language = '', part = '', list = ''] = cells;
    const parts = found.get(language) ?? new Map();
    found.set(
      language,
      parts.set(
        part,
        list.split(' ').map((stem) => readStem(stem, part)),
      ),
    );
  }
  const common = found.get('any');
  found.delete('any');
  languages = [...found.values()].map((own) => {
    const stemsOf = (part: string) => [...(own.get(part) ?? []), ...(common?.get(part) ?? [])];
    return languageOf(new Map([...own.keys()].map((part) => [part, stemsOf(part)])));
  });
  return languages;
}

function readStem(stem: string, part: string): string {
  const words = stem.replaceAll('_', ' ');
  if (words.startsWith('*')) return words.slice(1);
  const isWhole = !OPEN_PARTS.has(part) && words.length <= WHOLE_MAX;
  return isWhole ? ` ${words} ` : ` ${words}`;
}

function languageOf(stems: ReadonlyMap<string, readonly string[]>): ConsentLanguage {
  const has = (part: ConsentPart, line: string): boolean =>
    stems.get(part)?.some((stem) => line.includes(stem)) === true;
  return {
    has,
    begins: (part, line) => stems.get(part)?.some((stem) => line.startsWith(stem)) === true,
    kindsIn: (line) => PROVING.filter((part) => part !== 'consent' && has(part, line)).length,
    explains: (line) => EXPLAINING.some((part) => has(part, line)),
  };
}

/** The words of a text in small letters, with a blank around each. */
export const spacedWords = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim()} `;
