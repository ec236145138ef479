/** Filters that services pass on to Google in its own parameters. */
import { anySite, inQuery, native, noSite, prefers, unsupported } from '../declaration/filters.ts';
import { googleCountry, googleInterface, googleLanguage } from './google.ts';

export const SITES_IN_QUERY = inQuery('passes the operator site: on to Google', anySite);
export const NO_SITES_IN_QUERY = inQuery('passes the operator -site: on to Google', noSite);

export const PREFERRED_COUNTRY = prefers(
  'prefers pages of the country in gl',
  (asked) => {
    const gl = googleCountry(asked);
    return gl === null ? null : { gl };
  },
  unsupported("takes a list of Google's countries without this one"),
);

export const PREFERRED_LANGUAGE = prefers(
  'prefers pages in the language of the page of results, hl',
  (asked) => ({ hl: googleInterface(asked) }),
);

export const RESTRICTED_LANGUAGE = native(
  'takes a language of Google in lr',
  (asked) => {
    const lr = googleLanguage(asked);
    return lr === null ? null : { lr, hl: googleInterface(asked) };
  },
  unsupported('takes only languages that Google restricts pages to'),
);
