/**
 * https://docs.tavily.com/documentation/api-reference/endpoint/search, with the OpenAPI document
 * behind it
 */
import type { JsonObject } from '@trawl/contract';
import {
  type FilterContext,
  type FilterRules,
  native,
  prefers,
  unsupported,
} from '../declaration/filters.ts';
import countries from './countries.json' with { type: 'json' };

/**
 * The 166 English names that Tavily's OpenAPI document lists for `country`, by their ISO 3166
 * codes.
 */
const COUNTRIES: Readonly<Record<string, string>> = countries;

const FAST_DEPTHS: ReadonlySet<unknown> = new Set(['fast', 'ultra-fast']);

/** Without it, rows of web pages have no date that could be checked. An override decides itself. */
const dated = ({ overrides }: FilterContext): JsonObject =>
  'include_published_date' in overrides ? {} : { include_published_date: true };

export const tavilyFilters: FilterRules = {
  include_domains: native('takes up to 300 hosts in include_domains', ({ include_domains }) => ({
    include_domains,
  })),
  exclude_domains: native('takes up to 150 hosts in exclude_domains', ({ exclude_domains }) => ({
    exclude_domains,
  })),
  published_after: native('takes a day in start_date', ({ published_after }, context) => ({
    start_date: published_after,
    ...dated(context),
  })),
  published_before: native('takes a day in end_date', ({ published_before }, context) => ({
    end_date: published_before,
    ...dated(context),
  })),
  country: prefers(
    'prefers pages of the country that is named in country, for topic general',
    ({ country = '' }, { overrides }) => {
      const name = COUNTRIES[country];
      const isGeneral = (overrides.topic ?? 'general') === 'general';
      return name !== undefined && isGeneral ? { country: name } : null;
    },
    unsupported(
      'takes a list of countries without this one, and none for topics other than general',
    ),
  ),
  language: native('takes a language in language, with filter_by_language', ({ language }) => ({
    language,
    filter_by_language: true,
  })),
  safe_search: native(
    'takes safe_search, on or off, in enterprise plans',
    ({ safe_search }, { overrides }) =>
      FAST_DEPTHS.has(overrides.search_depth) ? null : { safe_search: safe_search !== 'off' },
    unsupported('has no safe search where provider_overrides set a fast search_depth'),
  ),
};
