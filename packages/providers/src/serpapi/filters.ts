/**
 * https://serpapi.com/search-api, https://serpapi.com/google-countries and
 * https://serpapi.com/google-lr-languages. SerpApi names `tbs` for dates, but does not document how
 * dates are written in it, so `as_qdr` is used.
 */
import {
  anySite,
  checked,
  type FilterRules,
  inQuery,
  native,
  noSite,
  unsupported,
} from '../declaration/filters.ts';
import { DAY_MS } from '../values/dates.ts';

/** Codes of ISO 3166 that the list of countries does not have. */
const NO_COUNTRIES = new Set('AX BL BQ CW MF SS SX'.split(' '));

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

const languageOf = (language = ''): string | null =>
  SPELLINGS[language] ?? (LANGUAGES.has(language) ? `lang_${language}` : null);

/** Google has the United Kingdom under another code in some lists, so both are sent. */
const restriction = (country: string): string =>
  country === 'GB' ? 'countryGB|countryUK' : `country${country}`;

/** `d` and a number of past days, the day itself included; at least one. */
const pastDays = (after: string, today: string): string =>
  `d${Math.max(1, (Date.parse(today) - Date.parse(after)) / DAY_MS + 1)}`;

export const serpapiFilters: FilterRules = {
  include_domains: inQuery('passes the operator site: on to Google', anySite),
  exclude_domains: inQuery('passes the operator -site: on to Google', noSite),
  published_after: native(
    'takes a number of past days in as_qdr',
    ({ published_after: day = '' }, { today }) => ({ as_qdr: pastDays(day, today) }),
  ),
  published_before: checked('documents no last day; it returns the date of some rows'),
  country: native(
    'prefers pages of the country in gl; with mode strict, cr also restricts them to it',
    ({ country = '' }, { strict }) => {
      if (NO_COUNTRIES.has(country)) return null;
      // both gb and uk are in the list; uk is the one that it explains as the United Kingdom
      const gl = country === 'GB' ? 'uk' : country.toLowerCase();
      return strict ? { gl, cr: restriction(country) } : { gl };
    },
    unsupported("takes a list of Google's countries without this one"),
  ),
  language: native(
    'takes a language of Google in lr',
    ({ language }) => {
      const lr = languageOf(language);
      return lr === null ? null : { lr };
    },
    unsupported('takes only languages that Google restricts pages to'),
  ),
  safe_search: native("takes Google's safe search in safe, on or off", ({ safe_search }) => ({
    safe: safe_search === 'off' ? 'off' : 'active',
  })),
};
