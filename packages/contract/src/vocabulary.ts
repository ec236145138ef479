/** The words of the service: tiers, result fields and statuses. Every table of tiers and fields in code and docs derives from here. */

export const TIERS = ['minimalist', 'default', 'extended', 'max'] as const;
export type Tier = (typeof TIERS)[number];
export const DEFAULT_TIER: Tier = 'default';

/** Fields of one result row, in the order in which they appear. */
export const ROW_FIELDS = [
  'url',
  'title',
  'rank',
  'summary',
  'excerpt',
  'full_content',
  'publish_date',
  'thumbnail',
  'favicon',
  'source',
  'enrichments',
  'fetch_meta',
] as const;
export type RowField = (typeof ROW_FIELDS)[number];

/** Fields of a run's envelope that a tier or `fields` switches on, in the order in which they appear. */
export const ENVELOPE_FIELDS = ['usage', 'answer', 'entities', 'related', 'verticals'] as const;
export type EnvelopeField = (typeof ENVELOPE_FIELDS)[number];

export type ResultField = RowField | EnvelopeField;
export const RESULT_FIELDS: readonly ResultField[] = [...ROW_FIELDS, ...ENVELOPE_FIELDS];

/** Always on the envelope, so naming them in `fields` is allowed and changes nothing. */
export const CONSTANT_ENVELOPE_FIELDS = ['latency_ms', 'warnings'] as const;
export const NAMEABLE_FIELDS = [
  ...ROW_FIELDS,
  ...ENVELOPE_FIELDS,
  ...CONSTANT_ENVELOPE_FIELDS,
] as const;
export type NameableField = (typeof NAMEABLE_FIELDS)[number];

/** What each tier adds to the tiers before it. */
export const TIER_ADDS: Record<Tier, readonly ResultField[]> = {
  minimalist: ['url', 'title', 'rank'],
  default: ['summary'],
  extended: ['excerpt', 'full_content', 'publish_date', 'usage'],
  max: [
    'thumbnail',
    'favicon',
    'source',
    'enrichments',
    'fetch_meta',
    'answer',
    'entities',
    'related',
    'verticals',
  ],
};

/** The fields a tier switches on, those of the tiers below it included, in table order. */
export function fieldsOfTier(tier: Tier): readonly ResultField[] {
  const adding = TIERS.slice(0, TIERS.indexOf(tier) + 1).flatMap((step) => TIER_ADDS[step]);
  return RESULT_FIELDS.filter((field) => adding.includes(field));
}

export const RUN_STATUSES = ['succeeded', 'failed'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const INTERACTION_STATUSES = ['succeeded', 'partially_succeeded', 'failed'] as const;
export type InteractionStatus = (typeof INTERACTION_STATUSES)[number];

export const TOPICS = [
  'news',
  'companies',
  'financial_filings',
  'academic_papers',
  'people_profiles',
  'wikipedia_encyclopedia',
  'finance_markets',
  'general',
] as const;
export type Topic = (typeof TOPICS)[number];

export const PERMISSIONS = ['search', 'fetch', 'read', 'manage'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const CONTENT_FORMATS = ['markdown', 'text'] as const;
export const CHAIN_OUTCOMES = ['answered', 'failed', 'skipped', 'declined'] as const;
export const HISTORY_TYPES = ['short', 'full'] as const;
export const NODE_TYPES = [
  'session',
  'interaction',
  'preprocessor_run',
  'postprocessor_run',
  'result',
  'document',
] as const;

/** The version of the normalized search vocabulary; null on fetch answers. */
export const SCHEMA_VERSION = 2;
