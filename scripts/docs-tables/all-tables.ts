import { FETCH_PROVIDERS, SEARCH_PROVIDERS } from '@trawl/providers';
import { DEPLOY_TABLES } from './deploy-tables.ts';
import { DROP_IN_TABLES } from './drop-in-tables.ts';
import { ERROR_TABLES } from './error-tables.ts';
import { FETCH_TABLES, fetchFacts } from './fetch-tables.ts';
import { FILTER_TABLES, filterFacts } from './filter-tables.ts';
import { METHOD_TABLES } from './method-tables.ts';
import { MIGRATION_TABLES } from './migration/tables.ts';
import { PYTHON_TABLES } from './python-tables.ts';
import { ROUTE_TABLES } from './route-tables.ts';
import { providerFacts, TABLES } from './tables.ts';
import { TOOL_TABLES } from './tool-tables.ts';

const MARKED = /<!-- generated: ([\w-]+) -->\n[\s\S]*?<!-- end -->/g;

/**
 * Every table that a page must contain, by the name in its marker. Does not include the facts of
 * providers.
 */
export const ALL_TABLES: Readonly<Record<string, () => string>> = {
  ...TABLES,
  ...FETCH_TABLES,
  ...FILTER_TABLES,
  ...ROUTE_TABLES,
  ...ERROR_TABLES,
  ...MIGRATION_TABLES,
  ...METHOD_TABLES,
  ...PYTHON_TABLES,
  ...TOOL_TABLES,
  ...DROP_IN_TABLES,
  ...DEPLOY_TABLES,
};

/**
 * The page with its tables updated from the code.
 * @throws an error when a marker names no table
 */
export const regenerated = (page: string): string =>
  page.replace(
    MARKED,
    (_all, name: string) => `<!-- generated: ${name} -->\n${render(name)}\n<!-- end -->`,
  );

function render(name: string): string {
  const search = SEARCH_PROVIDERS.find(({ slug }) => name === `facts-${slug}`);
  const fetching = FETCH_PROVIDERS.find(({ slug }) => name === `fetch-facts-${slug}`);
  const facts =
    (search && `${providerFacts(search)}\n\nFilters:\n\n${filterFacts(search)}`) ??
    (fetching && fetchFacts(fetching));
  const text = facts ?? ALL_TABLES[name]?.();
  if (text === undefined) throw new Error(`docs name an unknown table: ${name}`);
  return text;
}
