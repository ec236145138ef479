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

/** The active fields of a request, in table order. */
export function planFields(options: SearchOptions): FieldPlan {
  const tier = options.fields ? null : (options.tier ?? DEFAULT_TIER);
  const named: readonly string[] = options.fields ?? fieldsOfTier(tier ?? DEFAULT_TIER);
  return {
    tier,
    row: ROW_FIELDS.filter((field) => named.includes(field)),
    envelope: ENVELOPE_FIELDS.filter((field) => named.includes(field)),
    all: new Set(RESULT_FIELDS.filter((field) => named.includes(field))),
  };
}
