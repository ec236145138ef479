import type {
  FetchPlan,
  FetchProvider,
  ParsedPage,
  Price,
  Rates,
  ReportedUsage,
  SearchPlan,
  SearchProvider,
} from '@trawl/providers';

const isOfFetch = (item: string): boolean => item.startsWith('fetch_');

/**
 * The list price of one search; null where its provider has no rates, which does not mean free.
 * @param usage what the provider reports, null before the call
 */
export function searchPrice(
  { declaration, rates }: { readonly declaration: SearchProvider; readonly rates: Rates },
  plan: SearchPlan,
  usage: ReportedUsage | null,
): Price | null {
  const hasRate = Object.keys(rates).some((item) => !isOfFetch(item));
  return hasRate ? declaration.price(plan, rates, usage) : null;
}

/** A vendor, the rates of this deployment, and the keys that a call may have. */
interface PricedVendor {
  readonly declaration: FetchProvider;
  readonly rates: Rates;
  readonly target: { readonly credentials: readonly string[] };
}

/**
 * The list price of one page, which is free where a key is only optional and missing; `page` is the
 * page received, null before the call.
 */
export function pagePrice(
  { declaration, rates, target }: PricedVendor,
  plan: FetchPlan,
  page: ParsedPage | null,
): Price | null {
  const { authentication } = declaration;
  const isFree = authentication.in === 'header' && authentication.optional === true;
  if (isFree && target.credentials.length === 0) return { usd: 0, kind: 'known' };
  const hasRate = Object.keys(rates).some(isOfFetch);
  return hasRate ? declaration.price(plan, page, rates) : null;
}
