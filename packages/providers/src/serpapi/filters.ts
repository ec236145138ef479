/** https://serpapi.com/search-api and https://serpapi.com/google-lr-languages */
import {
  anySite,
  type FilterRules,
  type Filters,
  inQuery,
  native,
  noSite,
  unsupported,
} from '../declaration/filters.ts';

/** Languages that Google restricts pages to. */
const LANGUAGES = new Set(
  'ar bg ca cs da de el en es et fi fr hr hu id is it ja ko lt lv nl no pl pt ro ru sk sl sr sv tr'.split(
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

/** M/D/YYYY */
function american(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${month}/${date}/${year}`;
}

function range({ published_after: after, published_before: before }: Filters): string {
  return [
    'cdr:1',
    ...(after === undefined ? [] : [`cd_min:${american(after)}`]),
    ...(before === undefined ? [] : [`cd_max:${american(before)}`]),
  ].join(',');
}

const RANGE = native('takes a range of days in tbs', (filters) => ({ tbs: range(filters) }));

export const serpapiFilters: FilterRules = {
  include_domains: inQuery('passes the operator site: on to Google', anySite),
  exclude_domains: inQuery('passes the operator -site: on to Google', noSite),
  published_after: RANGE,
  published_before: RANGE,
  country: native("takes Google's country in gl", ({ country = '' }) => ({
    gl: country === 'GB' ? 'uk' : country.toLowerCase(),
  })),
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
