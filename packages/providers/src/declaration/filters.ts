import type { FilterName, JsonObject, SearchFilters } from '@trawl/contract';

/**
 * The filters of a request, without their mode. Hosts are ASCII in lower case, codes in the case of
 * their ISO list.
 */
export type Filters = Omit<SearchFilters, 'mode'>;

/** What the value of a parameter may depend on in addition to the filters. */
export interface FilterContext {
  /** The day of the request (UTC), for vendors that take closed ranges only. */
  readonly today: string;
  /** This provider's block of `provider_overrides`. */
  readonly overrides: JsonObject;
  /** A provider that cannot apply a filter for certain does not run. */
  readonly strict: boolean;
}

/**
 * How a provider applies a filter. Each reason completes "<filter>: <provider> …" from the vendor's
 * documents.
 * - `native`: `parameters` are merged into the request; null for a value that the vendor does not
 *   accept, which is then treated as `otherwise` says. Rows are checked for hosts and days too;
 * - `query`: `operators` are added to the query that is sent. Where they do not fit into the query,
 *   or the vendor documents none for this value (null), `otherwise` applies. Rows are checked for
 *   hosts and days in any case;
 * - `checked`: nothing is sent, rows that break the filter are dropped here;
 * - `unsupported`: nothing is possible.
 */
export type FilterRule =
  | {
      readonly kind: 'native';
      readonly reason: string;
      readonly parameters: (filters: Filters, context: FilterContext) => JsonObject | null;
      /** Absent = unsupported. */
      readonly otherwise?: FilterRule;
      /** The vendor only prefers such rows, which is not enough for mode strict. */
      readonly isPreference?: true;
    }
  | {
      readonly kind: 'query';
      readonly reason: string;
      readonly operators: (filters: Filters, context: FilterContext) => string | null;
      readonly otherwise: FilterRule;
    }
  | { readonly kind: 'checked' | 'unsupported'; readonly reason: string };

/** The filter table of one provider: no filter may be left out. */
export type FilterRules = Readonly<Record<FilterName, FilterRule>>;

/** What a provider declares about filters. */
export interface FilteringProvider {
  readonly filters: FilterRules;
  /**
   * What the date of its rows may be instead of that of the publication; absent = it is that. A
   * later date says nothing about the last day of a filter, so rows are not checked for it.
   */
  readonly rowDates?: 'update' | 'discovery';
}

export const native = (
  reason: string,
  parameters: Extract<FilterRule, { kind: 'native' }>['parameters'],
  otherwise?: FilterRule,
): Extract<FilterRule, { kind: 'native' }> => ({
  kind: 'native',
  reason,
  parameters,
  ...(otherwise ? { otherwise } : {}),
});

/** A parameter, or a path with dots, that takes the value of a filter as it is. */
export const takes = (what: string, filter: FilterName, parameter: string): FilterRule =>
  native(`takes ${what} in ${parameter}`, (filters) => memberAt(parameter, filters[filter]));

/** The reason says "prefers". */
export const prefers = (...rule: Parameters<typeof native>): FilterRule => ({
  ...native(...rule),
  isPreference: true,
});

export const inQuery = (
  reason: string,
  operators: Extract<FilterRule, { kind: 'query' }>['operators'],
  otherwise: FilterRule = checked(reason),
): FilterRule => ({ kind: 'query', reason, operators, otherwise });

export const checked = (reason: string): FilterRule => ({ kind: 'checked', reason });

export const unsupported = (reason: string): FilterRule => ({ kind: 'unsupported', reason });

/** The host filters of a source whose rows are all on its own hosts. */
export const ownHosts = (
  hosts: string,
): Pick<FilterRules, 'include_domains' | 'exclude_domains'> => {
  const rule = checked(
    `has rows of ${hosts} only, and does not run where the filter leaves these out`,
  );
  return { include_domains: rule, exclude_domains: rule };
};

/** `site:a.com OR site:b.com`; null without hosts. */
export const anySite = ({ include_domains: hosts = [] }: Filters): string | null =>
  hosts.length === 0 ? null : hosts.map((host) => `site:${host}`).join(' OR ');

/** `-site:a.com -site:b.com`; null without hosts. */
export const noSite = ({ exclude_domains: hosts = [] }: Filters): string | null =>
  hosts.length === 0 ? null : hosts.map((host) => `-site:${host}`).join(' ');

/**
 * Both dates with a separator between them; a side that is not asked for is open as far as the form
 * allows.
 */
export function closedRange(
  { published_after: after, published_before: before }: Filters,
  { today }: FilterContext,
  separator = 'to',
): string {
  const from = after ?? '1970-01-01';
  const to = before ?? (from > today ? from : today);
  return `${from < to ? from : to}${separator}${to}`;
}

/** How a vendor writes languages. Keys are codes of ISO 639-1. */
export interface LanguageCodes {
  /** Those that it writes as ISO does. */
  readonly codes: ReadonlySet<string>;
  readonly spellings: Readonly<Record<string, string>>;
  /** Languages that it has in variants only, by the country that decides. */
  readonly variants: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The vendor's code of a language; null where it has none. */
export const languageCode = (
  { codes, spellings, variants }: LanguageCodes,
  { language = '', country = '' }: Filters,
): string | null =>
  variants[language]?.[country] ?? spellings[language] ?? (codes.has(language) ? language : null);

/** A member of a nested object, by a path with dots. */
export const memberAt = (path: string, value: unknown): JsonObject =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as JsonObject;
