import {
  fieldsOfTier,
  RESULT_FIELDS,
  type ResultField,
  TIERS,
  type Warning,
} from '@trawl/contract';
import type { Capabilities, SearchProvider, Supply, Wanted } from '../declaration/search.ts';

/** A field of the active set that a provider cannot fill for this request, and why. */
export interface Gap {
  readonly field: ResultField;
  readonly reason: string;
}

function isSupplied(supply: Supply, wanted: Wanted): boolean {
  return supply.kind === 'supplied' || (supply.kind === 'on_condition' && supply.when(wanted));
}

/** The gaps of a request, in table order. Every other active field may hold a value. */
export function gapsOf(provider: SearchProvider, wanted: Wanted): readonly Gap[] {
  return RESULT_FIELDS.flatMap((field) => {
    const supply = provider.capabilities[field];
    if (!wanted.fields.has(field) || supply.kind === 'supplied') return [];
    return isSupplied(supply, wanted) ? [] : [{ field, reason: supply.reason }];
  });
}

/** A gap of a request as its run reports it. */
export const gapWarning = (field: string, slug: string, reason: string): Warning => ({
  code: 'capability_gap',
  message: `${field}: ${slug} ${reason}`,
});

/**
 * Every request shape that a declaration may distinguish: each tier with and without full content,
 * and all by name.
 */
const SHAPES: readonly Wanted[] = [
  ...TIERS.flatMap((tier) =>
    [false, true].map((fullContent) => ({
      tier,
      fields: new Set(fieldsOfTier(tier)),
      fullContent,
      overrides: {},
    })),
  ),
  { tier: null, fields: new Set(RESULT_FIELDS), fullContent: true, overrides: {} },
];

/** Fields that no tier or option supplies. */
export function unsupportedFields(capabilities: Capabilities): readonly ResultField[] {
  return RESULT_FIELDS.filter(
    (field) => !SHAPES.some((shape) => isSupplied(capabilities[field], shape)),
  );
}
