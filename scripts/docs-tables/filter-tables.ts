import { FILTER_METHODS, FILTERS, type FilterMethod } from '@trawl/contract';
import {
  type FilterRule,
  filtersNote,
  SEARCH_PROVIDERS,
  type SearchProvider,
} from '@trawl/providers';
import { code, table } from './tables.ts';

const METHODS = Object.keys(FILTER_METHODS) as FilterMethod[];

/** `native 9, query 2, checked 1`; kinds that no one has are left out. */
function countsText(methods: readonly FilterMethod[]): string {
  return METHODS.flatMap((method) => {
    const count = methods.filter((one) => one === method).length;
    return count > 0 ? [`${method} ${count}`] : [];
  }).join(', ');
}

const methodsOf = ({ filters }: SearchProvider): readonly FilterMethod[] =>
  FILTERS.map((name) => filters[name].kind);

/** Tables on filters, by the name in their markers. */
export const FILTER_TABLES: Readonly<Record<string, () => string>> = {
  'filter-methods': () =>
    table(
      ['Word', 'Meaning'],
      METHODS.map((method) => [code(method), FILTER_METHODS[method]]),
    ),
  'provider-filters': () =>
    table(
      ['Filter', ...SEARCH_PROVIDERS.map(({ slug }) => code(slug)), 'Providers'],
      [
        ...FILTERS.map((name) => {
          const methods = SEARCH_PROVIDERS.map(({ filters }) => filters[name].kind);
          return [code(name), ...methods, countsText(methods)];
        }),
        [
          'filters',
          ...SEARCH_PROVIDERS.map((provider) => countsText(methodsOf(provider))),
          countsText(SEARCH_PROVIDERS.flatMap(methodsOf)),
        ],
      ],
    ),
};

/** How one provider applies each filter, and why, with the note of the roster. */
export function filterFacts(provider: SearchProvider): string {
  const { slug, filters } = provider;
  const facts = table(
    ['Filter', 'Applied', 'Why'],
    FILTERS.map((name) => [code(name), filters[name].kind, reasonText(slug, filters[name])]),
  );
  const note = filtersNote(provider);
  return note === null ? facts : `${facts}\n\n${note}.`;
}

function reasonText(slug: string, rule: FilterRule): string {
  const reason = `${slug} ${rule.reason}`;
  const otherwise = 'otherwise' in rule ? rule.otherwise : undefined;
  if (otherwise === undefined) return reason;
  return rule.kind === 'query' && otherwise.kind === 'checked'
    ? `${reason}; rows are checked for it here`
    : `${reason}; otherwise ${otherwise.kind}: ${reasonText(slug, otherwise)}`;
}
