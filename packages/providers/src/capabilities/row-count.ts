import { type JsonObject, LIMITS, type Warning } from '@trawl/contract';
import type { SearchProvider } from '../declaration/search.ts';
import { capCounts, ownCount } from '../request/overrides.ts';
import { gapWarning } from './search.ts';

/** How many rows a provider is asked for, and how many stay. */
export interface RowCount {
  /** Rows to ask for. */
  readonly count: number;
  /** Rows beyond this are cut. */
  readonly rowsMax: number;
  /** The overrides with every count capped. */
  readonly overrides: JsonObject;
  /** What was lowered, or cannot be had. */
  readonly warnings: readonly Warning[];
}

/**
 * The counts of a request at one provider.
 * @param requested rows that the request asks for
 */
export function planCount(
  { slug, count }: Pick<SearchProvider, 'slug' | 'count'>,
  overrides: JsonObject,
  requested: number,
): RowCount {
  const isNative = count.control === 'native';
  const most = isNative ? Math.min(count.max, LIMITS.resultsMax) : LIMITS.resultsMax;
  const capped = capCounts(overrides, most, count.parameter);
  const own = ownCount(capped.block, count.parameter);
  const isPage = !isNative && !(count.parameter && Object.hasOwn(capped.block, count.parameter));
  const rowCount = own ?? Math.min(requested, most);
  return {
    count: rowCount,
    rowsMax: isNative && count.keepsExtraRows ? Number.POSITIVE_INFINITY : rowCount,
    overrides: capped.block,
    warnings: [
      ...(own === undefined && requested > most ? [clamped(slug, most, `${requested}`)] : []),
      ...capped.lowered.map(({ key, from }) =>
        clamped(slug, most, `${key} ${from} of provider_overrides`),
      ),
      ...(isPage ? pageWarning(slug, count.max, rowCount, count.parameter) : []),
    ],
  };
}

function clamped(slug: string, max: number, asked: string): Warning {
  return {
    code: 'count_clamped',
    message: `num_results: ${slug} takes at most ${max}; ${asked} was lowered to ${max}`,
  };
}

function pageWarning(
  slug: string,
  pageRows: number,
  rowCount: number,
  parameter: string | undefined,
): readonly Warning[] {
  if (rowCount <= pageRows) return [];
  const hint = parameter === undefined ? '' : `; ${parameter} in provider_overrides asks for more`;
  return [gapWarning('num_results', slug, `returns one page of ${pageRows} results${hint}`)];
}
