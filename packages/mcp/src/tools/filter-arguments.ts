import type { SearchFilters } from '@trawl/client';
import { ARGUMENTS } from '@trawl/client/text';
import { FILTERS, SAFE_SEARCH } from '@trawl/contract';

/** The filters of a search as arguments of a tool, which are flat. */
export interface FilterArguments {
  readonly include_domains?: readonly string[];
  readonly exclude_domains?: readonly string[];
  readonly published_after?: string;
  readonly published_before?: string;
  readonly country?: string;
  readonly language?: string;
  readonly safe_search?: (typeof SAFE_SEARCH)[number];
  readonly strict_filters?: boolean;
}

const text = (description: string) => ({ type: 'string', description });
const texts = (description: string) => ({
  type: 'array',
  items: { type: 'string' },
  description,
});

/** Their JSON Schema. The server checks the values, and says what to write. */
export const FILTER_ARGUMENTS = {
  include_domains: texts(ARGUMENTS.include_domains),
  exclude_domains: texts(ARGUMENTS.exclude_domains),
  published_after: text(ARGUMENTS.published_after),
  published_before: text(ARGUMENTS.published_before),
  country: text(ARGUMENTS.country),
  language: text(ARGUMENTS.language),
  safe_search: { ...text(ARGUMENTS.safe_search), enum: [...SAFE_SEARCH] },
  strict_filters: {
    type: 'boolean',
    description: 'Skip providers that cannot apply all filters.',
  },
} satisfies Record<keyof FilterArguments, object>;

/** The arguments of a call, with its filters in the API's form; undefined without any. */
export function splitFilters<Given extends FilterArguments>(given: Given) {
  const named = FILTERS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  const mode = given.strict_filters ? { mode: 'strict' as const } : {};
  const filters: SearchFilters = { ...Object.fromEntries(named), ...mode };
  const others = Object.entries(given).filter(([name]) => !Object.hasOwn(FILTER_ARGUMENTS, name));
  return {
    filters: named.length > 0 ? filters : undefined,
    options: Object.fromEntries(others) as Omit<Given, keyof FilterArguments>,
  };
}
