import { z } from 'zod';
import { DataUse } from '../schemas/data-use.ts';
import { dateTimeOut, optional, uuidOut } from '../schemas/json.ts';
import { Circuit } from '../schemas/probe.ts';
import { ProviderHealth } from '../schemas/rosters.ts';
import { FILTER_METHODS, FILTERS, type FilterMethod } from '../vocabulary/filters.ts';
import { COST_KINDS, PROBE_OPERATIONS, TIERS } from '../vocabulary/vocabulary.ts';
import { ProjectPath } from './projects.ts';
import type { ConsoleRoute } from './route.ts';

/** A span of time: the last day where nothing is named. */
export const SpanQuery = z.object({
  from: optional(z.iso.datetime({ offset: true })),
  to: optional(z.iso.datetime({ offset: true })),
});

/** Whether and when a provider supplies one field. */
export const ConsoleSupply = z.object({
  field: z.string(),
  kind: z.enum(['always', 'on_condition', 'never', 'failed_pages']),
  /** Tiers that include the field and get it without further options. */
  tiers: z.array(z.enum(TIERS)),
  reason: z.string().nullable(),
});
export type ConsoleSupply = z.output<typeof ConsoleSupply>;

/** How a provider applies one filter, at best. */
export const ConsoleFilter = z.object({
  filter: z.enum(FILTERS),
  method: z.enum(Object.keys(FILTER_METHODS) as [FilterMethod, ...FilterMethod[]]),
  reason: z.string(),
});
export type ConsoleFilter = z.output<typeof ConsoleFilter>;

/** Runs that failed for one reason. */
export const FailureFigure = z.object({
  code: z.string(),
  /** Who failed: the provider, the page, or nothing was sent. */
  kind: z.enum(['provider', 'page', 'not_sent']),
  runs: z.int(),
  latest: z.object({ at: dateTimeOut, session_id: uuidOut, interaction_id: uuidOut }),
});
export type FailureFigure = z.output<typeof FailureFigure>;

/** What the ledger of the project says about one operation of a provider in a span of time. */
export const ProviderFigures = z.object({
  /** Runs in which it was asked. */
  asked: z.int(),
  /** Those of them that the provider failed. */
  failed: z.int(),
  /** Those of them in which it reported that the page could not be read. */
  page_failures: z.int(),
  /** Runs in which it was not asked, as while its circuit was open. */
  not_sent: z.int(),
  /** Succeeded searches without a row, and those whose count of rows is known. */
  empty: z.int(),
  counted: z.int(),
  /** Of the runs that delivered; null without any. */
  latency_ms: z.object({ p50: z.int(), p80: z.int(), p95: z.int() }).nullable(),
  calls: z.int(),
  unpriced_calls: z.int(),
  /** Of the calls whose cost is known; null without such calls. */
  cost_usd: z.number().nullable(),
  /** Most runs first. */
  failures: z.array(FailureFigure),
});
export type ProviderFigures = z.output<typeof ProviderFigures>;

/** One of the keys, or of the addresses, of a provider. */
export const ProviderAccess = z.object({
  /** The last four characters of the key; null = it has fewer than 12, or it is absent. */
  key_tail: z.string().nullable(),
  /** null where keys are what differs. */
  address: z.string().nullable(),
  circuit: Circuit,
});
export type ProviderAccess = z.output<typeof ProviderAccess>;

/** One operation of one provider. */
export const ConsoleProvider = z.object({
  slug: z.string(),
  operation: z.enum(PROBE_OPERATIONS),
  description: z.string(),
  /** null = the operator declared it. */
  docs_url: z.string().nullable(),
  data_use: DataUse,
  /** Where a key of the vendor is made, and what one gets for free. null = not known, or no key. */
  key_page: z.object({ url: z.string(), free: z.string().nullable() }).nullable(),
  /**
   * `keyless`: it is asked without a key. `refused`: the last call, or the one that opened its
   * circuit, was refused because of the key.
   */
  credential: z.enum(['set', 'missing', 'refused', 'not_needed', 'keyless']),
  /** The setting of its credential or address. Never its value. */
  setting: z.string().nullable(),
  is_default: z.boolean(),
  chain_position: z.int().nullable(),
  /** Of its cheapest call: one row, or one page. */
  price: z.object({ cost_usd: z.number().nullable(), cost_kind: z.enum(COST_KINDS) }),
  /** null = it has none: the service's own reader. */
  circuit: Circuit.nullable(),
  /** How good its answers are, next to its own of before; null for a fetch. */
  answers: ProviderHealth.nullable(),
  /** Its keys, or the operator's addresses, in the order of the settings. */
  accesses: z.array(ProviderAccess),
  supply: z.array(ConsoleSupply),
  /** Of a search; empty for a fetch. */
  filters: z.array(ConsoleFilter),
  figures: ProviderFigures,
});
export type ConsoleProvider = z.output<typeof ConsoleProvider>;

export const PROVIDER_ROUTES = {
  listProviders: {
    method: 'GET',
    path: '/console/api/projects/{project_id}/providers',
    summary: 'Providers, what they supply, and how they did in the project',
    access: 'viewer',
    params: ProjectPath,
    query: SpanQuery,
    status: 200,
    response: z.object({
      from: dateTimeOut,
      to: dateTimeOut,
      /** Searches in roster order, then fetches. */
      providers: z.array(ConsoleProvider),
    }),
  },
} as const satisfies Record<string, ConsoleRoute>;
