import { z } from 'zod';
import { hostName, hostNameFault } from '../values/host-name.ts';
import {
  COUNTRIES,
  FILTER_METHODS,
  FILTER_MODES,
  type FilterMethod,
  LANGUAGES,
  SAFE_SEARCH,
} from '../vocabulary/filters.ts';
import { LIMITS } from '../vocabulary/limits.ts';
import { listOf, optional, wordsOf } from './json.ts';

/** A text that `read` understands; `faultOf` says what to write instead. */
function textOf(
  read: (text: string) => string | null,
  faultOf: (text: string) => string,
  form: Readonly<Record<string, unknown>>,
) {
  return z
    .custom<string>()
    .check((context) => {
      const input: unknown = context.value;
      if (typeof input !== 'string') {
        context.issues.push({ code: 'invalid_type', expected: 'string', input });
      } else if (read(input) === null) {
        context.issues.push({ code: 'custom', message: faultOf(input), input });
      }
    })
    .transform((text) => read(text) ?? text)
    .meta({ type: 'string', ...form });
}

const SHOWN = 64;
const quoted = (text: string) => `'${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}'`;

const host = textOf(hostName, hostNameFault, { minLength: 1, maxLength: 253 });

/** Host names, each with its subdomains; in lower case, each once. */
export const hostNames = listOf(host, 1, LIMITS.filterDomains).transform(
  (names): readonly string[] => [...new Set(names.map((name) => hostName(name) ?? name))],
);

const DATE = z.iso.date();

const day = textOf(
  (text) => (DATE.safeParse(text).success ? text : null),
  (text) => `${quoted(text)} is not a calendar date; write it as YYYY-MM-DD, such as 2026-01-31`,
  { format: 'date' },
);

const country = textOf(
  (text) => known(text.toUpperCase(), COUNTRIES),
  (text) =>
    text.toUpperCase() === 'UK'
      ? "'UK' is not an ISO 3166-1 alpha-2 country code; the United Kingdom is GB"
      : `${quoted(text)} is not an ISO 3166-1 alpha-2 country code; write two letters such as DE`,
  { pattern: '^[A-Za-z]{2}$' },
);

const language = textOf(
  (text) => known(text.toLowerCase(), LANGUAGES),
  (text) => `${quoted(text)} is not an ISO 639-1 language code; write two letters such as de`,
  { pattern: '^[A-Za-z]{2}$' },
);

const known = (code: string, codes: ReadonlySet<string>): string | null =>
  codes.has(code) ? code : null;

export const SearchFilters = z
  .strictObject({
    include_domains: optional(hostNames).describe(
      'Only rows of these hosts and their subdomains. Excludes `exclude_domains`.',
    ),
    exclude_domains: optional(hostNames).describe('No rows of these hosts and their subdomains.'),
    published_after: optional(day).describe('Published on this day (UTC) or later.'),
    published_before: optional(day).describe('Published on this day (UTC) or earlier.'),
    country: optional(country).describe('ISO 3166-1 alpha-2, in any case.'),
    language: optional(language).describe('ISO 639-1, in any case.'),
    safe_search: optional(z.enum(SAFE_SEARCH)).describe('How strictly adult content is left out.'),
    mode: optional(z.enum(FILTER_MODES)).describe(
      '`best_effort` when absent: a provider that cannot apply a filter runs without it and says so. `strict`: it does not run.',
    ),
  })
  .check((context) => {
    const { published_after: after, published_before: before } = context.value;
    if (after === undefined || before === undefined || after <= before) return;
    const message = `published_after ${after} is later than published_before ${before}; swap them`;
    context.issues.push({ code: 'custom', message, input: context.value });
  })
  .meta({
    id: 'SearchFilters',
    description: 'What rows must be like, in words that are the same for all providers.',
  });
export type SearchFilters = z.output<typeof SearchFilters>;

const method = z
  .enum(Object.keys(FILTER_METHODS) as [FilterMethod, ...FilterMethod[]])
  .meta(wordsOf(FILTER_METHODS));

const methods = {
  include_domains: method.describe('Only rows of named hosts.'),
  exclude_domains: method.describe('No rows of named hosts.'),
  published_after: method.describe('Published on a day or later.'),
  published_before: method.describe('Published on a day or earlier.'),
  country: method.describe('Country of the search.'),
  language: method.describe('Language of the pages.'),
  safe_search: method.describe('Adult content is left out.'),
};

export const FilterSupport = z.object(methods).meta({
  id: 'FilterSupport',
  description: 'How a provider applies each filter, at best: it may depend on the value.',
});
export type FilterSupport = z.output<typeof FilterSupport>;

export const AppliedFilters = z.object(methods).partial().meta({
  id: 'AppliedFilters',
  description: 'How each filter of the request was applied.',
});
export type AppliedFilters = z.output<typeof AppliedFilters>;
