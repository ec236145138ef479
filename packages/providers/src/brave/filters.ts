/**
 * https://api-dashboard.search.brave.com/documentation/resources/search-operators and the
 * parameters of the search page.
 */
import type {
  FilterContext,
  FilterRule,
  FilterRules,
  Filters,
  LanguageCodes,
} from '../declaration/filters.ts';
import {
  anySite,
  checked,
  closedRange,
  inQuery,
  languageCode,
  memberAt,
  native,
  noSite,
  unsupported,
} from '../declaration/filters.ts';
import { BING_COUNTRIES } from '../request/countries.ts';
import { isContext } from './context.ts';

const LANGUAGES: LanguageCodes = {
  codes: new Set(
    'ar eu bn bg ca hr cs da nl en et fi fr gl de gu he hi hu is it kn ko lv lt ms ml mr nb pl pa ro ru sr sk sl es sv ta te th tr uk vi'.split(
      ' ',
    ),
  ),
  spellings: { ja: 'jp', no: 'nb' },
  variants: {
    pt: { BR: 'pt-br', PT: 'pt-pt' },
    zh: { CN: 'zh-hans', TW: 'zh-hant', HK: 'zh-hant' },
  },
};

/** Its other mode documents no operators in the query: hosts go into a goggle there. */
const unlessContext =
  (operators: (filters: Filters) => string | null) =>
  (filters: Filters, { overrides }: FilterContext): string | null =>
    isContext(overrides) ? null : operators(filters);

const RANGE = native('takes a range of days in freshness', (filters, context) => ({
  freshness: closedRange(filters, context),
}));

const GOGGLE_CHARACTERS_MAX = 2_000;

/**
 * Hosts as an inline goggle
 * (https://api-dashboard.search.brave.com/documentation/resources/goggles), which leaves the query
 * as it is. It ranks a part of the index only, so operators come first. Whether `site=` includes
 * subdomains is UNCONFIRMED, and so is the longest goggle: a longer one could be refused with the
 * address that it is in.
 */
const inGoggle = (name: 'include_domains' | 'exclude_domains'): FilterRule => ({
  kind: 'native',
  reason: 'takes more hosts in an inline goggle',
  parameters: ({ [name]: hosts = [] }, { overrides }) => {
    const isAllowed = name === 'include_domains';
    const lines = hosts.map((host) => `${isAllowed ? '$site=' : '$discard,site='}${host}`);
    const goggles = [...(isAllowed ? ['$discard'] : []), ...lines].join('\n');
    const isOwn = overrides.goggles !== undefined || overrides.goggles_id !== undefined;
    return isOwn || goggles.length > GOGGLE_CHARACTERS_MAX ? null : { goggles };
  },
  otherwise: checked('has no room for so many hosts'),
});

export const braveFilters: FilterRules = {
  include_domains: inQuery(
    'documents the operator site:',
    unlessContext(anySite),
    inGoggle('include_domains'),
  ),
  exclude_domains: inQuery(
    'documents the operator site: and its exclusion',
    unlessContext(noSite),
    inGoggle('exclude_domains'),
  ),
  published_after: RANGE,
  published_before: RANGE,
  country: native(
    'takes one of 36 countries in country',
    ({ country = '' }) => (BING_COUNTRIES.has(country) ? { country } : null),
    inQuery(
      'documents the operator loc: for other countries',
      unlessContext(({ country }) => `loc:${country?.toLowerCase()}`),
      unsupported('takes 36 countries, and the operator loc: does not fit into the query'),
    ),
  ),
  language: native(
    'takes one of a list of languages in search_lang',
    (filters) => {
      const code = languageCode(LANGUAGES, filters);
      return code === null ? null : memberAt('search_lang', code);
    },
    inQuery(
      'documents the operator lang: for other languages, and for Portuguese and Chinese without a country',
      unlessContext(({ language }) => `lang:${language}`),
      unsupported('takes a list of languages, and the operator lang: does not fit into the query'),
    ),
  ),
  safe_search: native(
    'takes off, moderate and strict in safesearch',
    ({ safe_search }, { overrides }) => (isContext(overrides) ? null : { safesearch: safe_search }),
    unsupported('has no safe search in its mode llm_context'),
  ),
};
