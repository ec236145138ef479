/** https://you.com/docs/guides/search/request-controls */
import {
  closedRange,
  type FilterRules,
  inQuery,
  type LanguageCodes,
  languageCode,
  native,
  noSite,
  prefers,
  unsupported,
} from '../declaration/filters.ts';

const COUNTRIES = new Set(
  'AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US'.split(
    ' ',
  ),
);

/** As You.com writes them, but in small letters. */
const LANGUAGES: LanguageCodes = {
  codes: new Set(
    'ar eu bn bg ca hr cs da nl en et fi fr gl de el gu he hi hu is it kn ko lv lt ms ml mr nb pl pa ro ru sr sk sl es sv ta te th tr uk vi'.split(
      ' ',
    ),
  ),
  spellings: { ja: 'jp', no: 'nb' },
  variants: {
    pt: { BR: 'pt-br', PT: 'pt-pt' },
    zh: { CN: 'zh-hans', TW: 'zh-hant', HK: 'zh-hant' },
  },
};

const RANGE = native('takes a range of days in freshness', (filters, context) => ({
  freshness: closedRange(filters, context),
}));

export const youFilters: FilterRules = {
  include_domains: native('takes hosts in include_domains', ({ include_domains }) => ({
    include_domains,
  })),
  exclude_domains: native('takes hosts in exclude_domains', ({ exclude_domains }) => ({
    exclude_domains,
  })),
  published_after: RANGE,
  published_before: RANGE,
  country: prefers(
    'prefers pages of one of 36 countries in country',
    ({ country = '' }) => (COUNTRIES.has(country) ? { country } : null),
    unsupported('takes 36 countries, and this is not one of them'),
  ),
  language: native(
    'takes one of a list of languages in language',
    (filters) => {
      const code = languageCode(LANGUAGES, filters);
      return code === null ? null : { language: code.toUpperCase() };
    },
    unsupported(
      'takes a list of languages without this one; Portuguese and Chinese need a country',
    ),
  ),
  safe_search: native('takes off, moderate and strict in safesearch', ({ safe_search }) => ({
    safesearch: safe_search,
  })),
};

/**
 * The form without a key knows fewer: https://you.com/docs, the skill "you-free" of its plugins.
 */
export const youKeylessFilters: FilterRules = {
  ...youFilters,
  exclude_domains: inQuery('takes the operator -site: without a key', noSite),
};
