import { HINDI, KOREAN, THAI } from './lexicon-asia.ts';
import { CHINESE, JAPANESE } from './lexicon-chinese-japanese.ts';
import { RUSSIAN, UKRAINIAN } from './lexicon-cyrillic.ts';
import type { LanguageLexicon } from './lexicon-entry.ts';
import { GREEK, POLISH, TURKISH } from './lexicon-europe-east.ts';
import { DUTCH, ITALIAN, SWEDISH } from './lexicon-europe-west.ts';
import { FRENCH } from './lexicon-french.ts';
import { GERMAN } from './lexicon-german.ts';
import { PORTUGUESE } from './lexicon-portuguese.ts';
import { ARABIC, HEBREW } from './lexicon-semitic.ts';
import { SPANISH } from './lexicon-spanish.ts';

/**
 * Words that tell a topic in languages for which there are no word vectors. They are added to the
 * inputs of the classifier: per topic, the weights of the terms found in a query are summed, and
 * what a sum is worth is learned. They are not a vote of their own.
 *
 * Terms are lower case and composed (NFC, and NFKC as queries are read), accents kept. Fold them as
 * the query is folded (`withoutAccents`) before comparing: many people leave accents out. All
 * languages are read for every query, since a short query does not tell its language; a term that
 * two topics claim is therefore left out.
 */
export const LEXICON: readonly LanguageLexicon[] = [
  GERMAN,
  FRENCH,
  SPANISH,
  PORTUGUESE,
  ITALIAN,
  DUTCH,
  SWEDISH,
  POLISH,
  TURKISH,
  GREEK,
  RUSSIAN,
  UKRAINIAN,
  CHINESE,
  JAPANESE,
  KOREAN,
  THAI,
  HINDI,
  ARABIC,
  HEBREW,
];
