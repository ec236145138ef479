import {
  fieldsOfTier,
  PAGE_FIELDS,
  type PageField,
  RESULT_FIELDS,
  type ResultField,
  TIERS,
  type Tier,
} from '@trawl/contract';
import type { FetchPlan, PageCapabilities, PageSupply } from '../declaration/fetch.ts';
import type { Capabilities, Supply, Wanted } from '../declaration/search.ts';
import { pageFieldsOfTier } from './fetch.ts';

/** Whether and when a provider supplies one field. */
export interface FieldSupply<Field extends string> {
  readonly field: Field;
  /** `failed_pages`: only for pages that could not be delivered. */
  readonly kind: 'always' | 'on_condition' | 'never' | 'failed_pages';
  /** The tiers that include the field and get it without further options. */
  readonly tiers: readonly Tier[];
  /** What adds it, or why it never comes; null where nothing is to be said. */
  readonly reason: string | null;
}

/** What a search provider supplies, in the order of the fields. */
export const searchSupply = (capabilities: Capabilities): readonly FieldSupply<ResultField>[] =>
  RESULT_FIELDS.map((field) => {
    const supply = capabilities[field];
    const tiers = TIERS.filter(
      (tier) => fieldsOfTier(tier).includes(field) && isSupplied(supply, plainSearch(tier)),
    );
    const reason = supply.kind === 'supplied' ? null : supply.reason;
    return { field, kind: KINDS[supply.kind], tiers, reason };
  });

/** What a fetch provider supplies of a delivered page, in the order of the fields. */
export const pageSupply = (capabilities: PageCapabilities): readonly FieldSupply<PageField>[] =>
  PAGE_FIELDS.map((field) => {
    const supply = capabilities[field];
    const tiers = TIERS.filter(
      (tier) => pageFieldsOfTier(tier).has(field) && isPageSupplied(supply, plainFetch(tier)),
    );
    const reason = supply.kind === 'on_condition' ? supply.reason : null;
    return { field, kind: KINDS[supply.kind], tiers, reason };
  });

const KINDS = {
  supplied: 'always',
  on_condition: 'on_condition',
  never: 'never',
  on_failure: 'failed_pages',
} as const;

const isSupplied = (supply: Supply, wanted: Wanted): boolean =>
  supply.kind === 'supplied' || (supply.kind === 'on_condition' && supply.when(wanted));

const isPageSupplied = (supply: PageSupply, plan: FetchPlan): boolean =>
  supply.kind === 'supplied' || (supply.kind === 'on_condition' && supply.when(plan));

/** A request of a tier without any other option. */
const plainSearch = (tier: Tier): Wanted => ({
  tier,
  fields: new Set(fieldsOfTier(tier)),
  fullContent: false,
  overrides: {},
});

const plainFetch = (tier: Tier): FetchPlan => ({
  url: 'https://example.com/',
  tier,
  fields: pageFieldsOfTier(tier),
  contentFormat: 'markdown',
  maxAgeSeconds: null,
  noCache: false,
  timeLimitMs: 25_000,
});
