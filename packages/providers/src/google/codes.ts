/** Google's own codes and forms, for services that pass them on to it. */
import type { Filters } from '../declaration/filters.ts';
import { DAY_MS } from '../values/dates.ts';

/** Codes of ISO 3166 that Google's list of countries does not have. */
const NO_COUNTRIES = new Set('AX BL BQ CW MF SS SX'.split(' '));

/** A country for `gl`; null where Google does not have it. */
export const googleCountry = ({ country = '' }: Filters): string | null =>
  NO_COUNTRIES.has(country) ? null : country.toLowerCase();

/** For `cr`. Google has the United Kingdom under another code in some lists, so both are sent. */
export const googleRestriction = ({ country = '' }: Filters): string =>
  country === 'GB' ? 'countryGB|countryUK' : `country${country}`;

/**
 * Languages that Google restricts pages to. Up to `it` they were compared with SerpApi's list; the
 * others are UNCONFIRMED: only copies of that list have them.
 */
const LANGUAGES = new Set(
  'ar bg ca cs da de el en es et fi fr hi hr hu hy id is it ja ko lt lv nl no pl pt ro ru sk sl sr sv tl tr'.split(
    ' ',
  ),
);
/** Languages that Google spells otherwise. */
const SPELLINGS: Readonly<Record<string, string>> = {
  he: 'lang_iw',
  nb: 'lang_no',
  zh: 'lang_zh-CN|lang_zh-TW',
};

/** A language for `lr`; null for one that Google does not restrict pages to. */
export const googleLanguage = ({ language = '' }: Filters): string | null =>
  SPELLINGS[language] ?? (LANGUAGES.has(language) ? `lang_${language}` : null);

const INTERFACE_SPELLINGS: Readonly<Record<string, string>> = { he: 'iw', nb: 'no' };

/** A language for `hl`, which Google's page is written in. */
export const googleInterface = ({ language = '', country }: Filters): string => {
  if (language === 'zh') return country === 'TW' || country === 'HK' ? 'zh-tw' : 'zh-cn';
  return INTERFACE_SPELLINGS[language] ?? language;
};

/** `01/31/2026` */
export const americanDay = (day: string): string =>
  `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;

/** A range of days for `tbs`; a side that is not asked for is open. */
export function dayRange({ published_after: after, published_before: before }: Filters): string {
  const days = [
    ...(after === undefined ? [] : [`cd_min:${americanDay(after)}`]),
    ...(before === undefined ? [] : [`cd_max:${americanDay(before)}`]),
  ];
  return ['cdr:1', ...days].join(',');
}

/** Past days that each of Google's spans holds for certain. */
const SPANS = [
  ['qdr:d', 1],
  ['qdr:w', 7],
  ['qdr:m', 28],
  ['qdr:y', 365],
] as const;

/** The shortest of Google's spans for `tbs` since a day; null where it is longer than a year. */
export function pastSpan({ published_after: after = '' }: Filters, today: string): string | null {
  const days = (Date.parse(today) - Date.parse(after)) / DAY_MS + 1;
  return SPANS.find(([, most]) => days <= most)?.[0] ?? null;
}
