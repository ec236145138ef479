import {
  DEFAULT_TIER,
  ENVELOPE_FIELDS,
  type EnvelopeField,
  fieldsOfTier,
  RESULT_FIELDS,
  type ResultField,
  ROW_FIELDS,
  type RowField,
  type SearchOptions,
  TIERS,
  type Tier,
} from '@trawl/contract';

/** The active fields of a request. */
export interface FieldPlan {
  /** null in fields mode. */
  readonly tier: Tier | null;
  readonly row: readonly RowField[];
  readonly envelope: readonly EnvelopeField[];
  readonly all: ReadonlySet<ResultField>;
}

function planOf(tier: Tier | null, named: readonly string[]): FieldPlan {
  return {
    tier,
    row: ROW_FIELDS.filter((field) => named.includes(field)),
    envelope: ENVELOPE_FIELDS.filter((field) => named.includes(field)),
    all: new Set(RESULT_FIELDS.filter((field) => named.includes(field))),
  };
}

const BY_TIER = new Map(TIERS.map((tier) => [tier, planOf(tier, fieldsOfTier(tier))]));

/** The active fields of a request, in table order. */
export function planFields({ fields, tier = DEFAULT_TIER }: SearchOptions): FieldPlan {
  if (fields) return planOf(null, fields);
  return BY_TIER.get(tier) ?? planOf(tier, fieldsOfTier(tier));
}
