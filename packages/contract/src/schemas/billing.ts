import { z } from 'zod';
import { LIMITS } from '../vocabulary/limits.ts';
import { COST_KINDS, USAGE_GROUPS, WEB_RULES } from '../vocabulary/vocabulary.ts';
import { PlannedDataUse } from './data-use.ts';
import { AppliedFilters } from './filters.ts';
import { RoutingEntry } from './interaction.ts';
import { dateTimeOut, openEnum, optional } from './json.ts';
import { maxTextCharacters } from './shared.ts';

export const DryRunQuery = z.object({
  // no example: viewers fill it in, and a request that a reader tries would then search nothing
  dry_run: optional(z.boolean()).describe(
    'Answer what would be called and at which price (`DryRun`); nothing is sent, recorded or billed.',
  ),
});

/** Of routes that ask providers and answer as text too. */
export const ExecuteQuery = z.object({
  ...DryRunQuery.shape,
  max_chars: maxTextCharacters,
});

export const PlannedCall = z
  .object({
    provider: z.string().describe('The provider that would be called.'),
    batch_index: z.int().optional().describe('In a search: which query.'),
    url: z.string().optional().describe('In a fetch: which page, as sent.'),
    cost_usd: z.number().nullable().describe('What it would cost; null when it is not known.'),
    cost_kind: z
      .enum(COST_KINDS)
      .describe('`estimated`: it depends on the answer. `unknown`: it is not in the price list.'),
    cached: z
      .literal(true)
      .optional()
      .describe('In a search: a recorded answer would be served, so that it costs nothing.'),
    rule: openEnum(WEB_RULES)
      .optional()
      .describe('In a fetch: the web rule that refuses this page, so that nothing is sent.'),
    conditional: z
      .literal(true)
      .optional()
      .describe('Only made if no call before it succeeds for this query (`fallback`).'),
    allowance: z
      .string()
      .optional()
      .describe('What the provider grants without a key, where it would be asked without one.'),
    data_use: PlannedDataUse.optional().describe(
      "What the provider's vendor does with what is sent; absent where no provider is called.",
    ),
    filters: AppliedFilters.optional().describe(
      'In a search with filters: how each would be applied.',
    ),
  })
  .meta({ id: 'PlannedCall', description: 'A call that would be made.' });
export type PlannedCall = z.output<typeof PlannedCall>;

export const DryRun = z
  .object({
    dry_run: z.literal(true).describe('Nothing was sent.'),
    calls: z.array(PlannedCall).describe('One per query and provider, or per page.'),
    total_usd: z
      .number()
      .nullable()
      .describe('Without the conditional calls; null when the price of a call is unknown.'),
    max_total_usd: z
      .number()
      .nullable()
      .optional()
      .describe(
        'The most that it may cost: with the conditional calls in a search with `fallback`; with every provider of the chain in a fetch where more than one may be asked.',
      ),
    routing: z
      .array(RoutingEntry)
      .optional()
      .describe(
        'How each query would be routed, in batch order; only in a search with auto-routing.',
      ),
  })
  .meta({ id: 'DryRun', description: 'What a request would call and cost.' });
export type DryRun = z.output<typeof DryRun>;

const DATE = z.iso.date();
const DATE_TIME = z.iso.datetime({ offset: true });

/** A time, as a date or a date-time with a time zone. */
const moment = z
  .custom<string>()
  .check((context) => {
    const text = context.value;
    if (DATE.safeParse(text).success || DATE_TIME.safeParse(text).success) return;
    context.issues.push({ code: 'invalid_format', format: 'datetime', input: text });
  })
  .meta({ type: 'string' });

/** A comma list of groups, each once. */
const groups = z
  .string()
  .transform((text, context) => {
    const named = new Set(text.split(',').map((name) => name.trim()));
    const known = USAGE_GROUPS.filter((group) => named.has(group));
    if (known.length === named.size) return known;
    const message = `expected a comma-separated list of ${USAGE_GROUPS.join(', ')}`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({ type: 'string' });

export const UsageQuery = z.object({
  from: optional(moment).meta({
    description:
      'Start: a date (UTC, from its beginning) or a date-time. 30 days before `to` when absent.',
    example: '2026-03-01',
  }),
  to: optional(moment).meta({
    description:
      'End: a date (UTC, the whole day included) or a date-time (itself not included). Now when absent.',
    example: '2026-03-02',
  }),
  group_by: optional(groups).meta({
    description: `Comma-separated list of ${USAGE_GROUPS.join(', ')}; day,provider when absent.`,
    example: 'provider,user_id',
  }),
  format: optional(z.enum(['json', 'csv'])).meta({
    description:
      'csv: the rows as a table with a header line, for a spreadsheet; json when absent.',
    example: 'csv',
  }),
});
export type UsageQuery = z.output<typeof UsageQuery>;

const GROUPED = 'Present when grouped by it.';

export const UsageRow = z
  .object({
    day: z.string().meta({ format: 'date' }).optional().describe(`UTC. ${GROUPED}`),
    provider: z.string().optional().describe(GROUPED),
    key_id: z.string().optional().describe(GROUPED),
    user_id: z.string().nullable().optional().describe(`null = not given. ${GROUPED}`),
    key_tail: z
      .string()
      .nullable()
      .optional()
      .describe(
        `Last four characters of the provider's key that was used; null = none, or it has fewer than 12 characters. ${GROUPED}`,
      ),
    calls: z.int().describe('Requests that may have reached the provider, retries included.'),
    unpriced_calls: z.int().describe('Those of the calls whose cost is not known.'),
    cost_usd: z
      .number()
      .nullable()
      .describe('Of the calls whose cost is known; null without such calls.'),
    cached_calls: z
      .int()
      .describe('Runs that were answered without a call: by a recorded answer, or an equal run.'),
    saved_usd: z
      .number()
      .describe('What those answers had cost when the provider was asked, where it is known.'),
  })
  .meta({ id: 'UsageRow', description: 'Calls and cost of one group, and what was saved.' });

export const UsageReport = z
  .object({
    from: dateTimeOut.describe('Start, included.'),
    to: dateTimeOut.describe('End, not included.'),
    rows: z
      .array(UsageRow)
      .max(LIMITS.usageRows)
      .describe('In order of day, provider, key_id, user_id and key_tail, where grouped by them.'),
  })
  .meta({ id: 'UsageReport', description: 'Calls and cost of a span of time.' });
export type UsageReport = z.output<typeof UsageReport>;
