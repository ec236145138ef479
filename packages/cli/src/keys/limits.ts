import { type Limits, MICROS, usdOf } from '@trawl/router';
import { UsageError } from '../program/usage-error.ts';

/** The options that limit a key or a project. `none` removes a limit; an absent option keeps it. */
export interface LimitOptions {
  readonly rateLimit?: string;
  readonly monthlyBudget?: string;
}

const REQUESTS_MAX = 100_000;

export function readLimits({ rateLimit, monthlyBudget }: LimitOptions): Partial<Limits> {
  return {
    ...(rateLimit === undefined ? {} : { rateLimit: readRate(rateLimit) }),
    ...(monthlyBudget === undefined ? {} : { monthlyBudgetMicros: readBudget(monthlyBudget) }),
  };
}

function readRate(text: string): number | null {
  if (text === 'none') return null;
  const rate = Number(text);
  if (/^\d+$/.test(text) && rate >= 1 && rate <= REQUESTS_MAX) return rate;
  throw new UsageError(`--rate-limit takes requests a minute, 1 to ${REQUESTS_MAX}, or none`);
}

function readBudget(text: string): number | null {
  if (text === 'none') return null;
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Math.round(Number(text) * MICROS);
  throw new UsageError('--monthly-budget takes US dollars such as 25 or 0.5, or none');
}

/** The limits as printed in JSON. */
export function limitsJson({ rateLimit, monthlyBudgetMicros }: Limits) {
  return {
    rate_limit: rateLimit,
    monthly_budget_usd: usdOf(monthlyBudgetMicros),
  };
}

/** The limits as a cell of a table. */
export function limitsText(limits: Limits): string {
  const { rate_limit: rate, monthly_budget_usd: budget } = limitsJson(limits);
  const parts = [rate === null ? [] : `${rate}/min`, budget === null ? [] : `$${budget}/month`];
  return parts.flat().join(', ') || 'none';
}

export const NO_LIMITS: Limits = { rateLimit: null, monthlyBudgetMicros: null };
