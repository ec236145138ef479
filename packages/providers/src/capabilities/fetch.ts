import {
  CONTENT_FORMATS,
  fetchFieldsOfTier,
  PAGE_FIELDS,
  type PageField,
  TIERS,
  type Tier,
} from '@trawl/contract';
import type { FetchPlan, PageCapabilities, PageSupply } from '../declaration/fetch.ts';

/**
 * A field of the plan that a provider cannot fill for a delivered page; `reason` where an option
 * would fill it.
 */
export interface PageGap {
  readonly field: PageField;
  readonly reason: string | null;
}

/** The page fields of a tier that a provider may lack, those of the tiers below it included. */
export function pageFieldsOfTier(tier: Tier): ReadonlySet<PageField> {
  const fields: ReadonlySet<string> = new Set(fetchFieldsOfTier(tier));
  return new Set(PAGE_FIELDS.filter((field) => fields.has(field)));
}

function isSupplied(supply: PageSupply, plan: FetchPlan): boolean {
  return supply.kind === 'supplied' || (supply.kind === 'on_condition' && supply.when(plan));
}

/** The gaps of a delivered page, in table order. Every other field of the plan may hold a value. */
export function pageGapsOf(capabilities: PageCapabilities, plan: FetchPlan): readonly PageGap[] {
  return PAGE_FIELDS.flatMap((field) => {
    const supply = capabilities[field];
    if (!plan.fields.has(field) || isSupplied(supply, plan)) return [];
    return [{ field, reason: supply.kind === 'on_condition' ? supply.reason : null }];
  });
}

/** Every shape of a plan that a declaration may distinguish. */
const SHAPES: readonly FetchPlan[] = TIERS.flatMap((tier) =>
  CONTENT_FORMATS.flatMap((contentFormat) =>
    [false, true].map((noCache) => ({
      url: 'https://example.com/',
      tier,
      fields: pageFieldsOfTier(tier),
      contentFormat,
      maxAgeSeconds: null,
      noCache,
      timeLimitMs: 25_000,
    })),
  ),
);

/**
 * Fields that no tier or option supplies. One that comes only with failed pages counts as supplied.
 */
export function unsupportedPageFields(capabilities: PageCapabilities): readonly PageField[] {
  return PAGE_FIELDS.filter((field) => {
    const supply = capabilities[field];
    return supply.kind !== 'on_failure' && !SHAPES.some((shape) => isSupplied(supply, shape));
  });
}
