/** Filters that services pass on to Google in its own parameters. */
import { anySite, inQuery, native, noSite, unsupported } from '../declaration/filters.ts';
import { googleCountry, googleInterface, googleLanguage } from './google.ts';

export const SITES_IN_QUERY = inQuery('passes the operator site: on to Google', anySite);
export const NO_SITES_IN_QUERY = inQuery('passes the operator -site: on to Google', noSite);

const ONLY_PREFERS = unsupported('only prefers such pages, which is not enough for mode strict');

export const PREFERRED_COUNTRY = native(
  'prefers pages of the country in gl',
  (asked, { strict }) => {
    const gl = strict ? null : googleCountry(asked);
    return gl === null ? null : { gl };
  },
  ONLY_PREFERS,
);

export const PREFERRED_LANGUAGE = native(
  'prefers pages in the language of the page of results, hl',
  (asked, { strict }) => (strict ? null : { hl: googleInterface(asked) }),
  ONLY_PREFERS,
);

export const RESTRICTED_LANGUAGE = native(
  'takes a language of Google in lr',
  (asked) => {
    const lr = googleLanguage(asked);
    return lr === null ? null : { lr, hl: googleInterface(asked) };
  },
  unsupported('takes only languages that Google restricts pages to'),
);
