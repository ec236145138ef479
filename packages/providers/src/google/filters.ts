/** Filters that services pass on to Google in its own parameters. */
import {
  anySite,
  type FilterRule,
  inQuery,
  native,
  noSite,
  prefers,
  unsupported,
} from '../declaration/filters.ts';
import { googleCountry, googleInterface, googleLanguage, googleRestriction } from './codes.ts';

export const NO_SITES_IN_QUERY = inQuery('passes the operator -site: on to Google', noSite);
export const SITES_IN_QUERY = {
  include_domains: inQuery('passes the operator site: on to Google', anySite),
  exclude_domains: NO_SITES_IN_QUERY,
};

/** @param spelled how the service writes a code of Google */
export const restrictedCountry = (spelled = (code: string): string => code): FilterRule =>
  native(
    'prefers pages of the country in gl; with mode strict, cr also restricts them to it',
    (asked, { strict }) => {
      const code = googleCountry(asked);
      if (code === null) return null;
      const gl = spelled(code);
      return strict ? { gl, cr: googleRestriction(asked) } : { gl };
    },
    unsupported("takes a list of Google's countries without this one"),
  );

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

export const SAFE_OR_NOT = native(
  "takes Google's safe search in safe, on or off",
  ({ safe_search }) => ({ safe: safe_search === 'off' ? 'off' : 'active' }),
);
