/** https://you.com/docs/guides/search/request-controls */
import { closedRange, type FilterRules, native, unsupported } from '../declaration/filters.ts';

const COUNTRIES = new Set(
  'AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US'.split(
    ' ',
  ),
);

const LANGUAGES = new Set(
  'AR EU BN BG CA HR CS DA NL EN ET FI FR GL DE EL GU HE HI HU IS IT KN KO LV LT MS ML MR NB PL PA RO RU SR SK SL ES SV TA TE TH TR UK VI'.split(
    ' ',
  ),
);

/** Languages that You.com spells otherwise. */
const SPELLINGS: Readonly<Record<string, string>> = { ja: 'JP', no: 'NB' };
/** Languages that You.com has in variants only: the country decides. */
const VARIANTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pt: { BR: 'PT-BR', PT: 'PT-PT' },
  zh: { CN: 'ZH-HANS', TW: 'ZH-HANT', HK: 'ZH-HANT' },
};

function languageOf(language = '', country = ''): string | null {
  const code = language.toUpperCase();
  const variant = VARIANTS[language]?.[country];
  return variant ?? SPELLINGS[language] ?? (LANGUAGES.has(code) ? code : null);
}

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
  country: native(
    'takes one of 36 countries in country',
    ({ country = '' }) => (COUNTRIES.has(country) ? { country } : null),
    unsupported('takes 36 countries, and this is not one of them'),
  ),
  language: native(
    'takes one of a list of languages in language',
    ({ language: asked, country }) => {
      const language = languageOf(asked, country);
      return language === null ? null : { language };
    },
    unsupported(
      'takes a list of languages without this one; Portuguese and Chinese need a country',
    ),
  ),
  safe_search: native('takes off, moderate and strict in safesearch', ({ safe_search }) => ({
    safesearch: safe_search,
  })),
};
