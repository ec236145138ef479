import { DAY_MS } from '@trawl/base';
import type { KeyState } from '@trawl/contract';
import { type ApiKey, usdText } from '@trawl/router';

/** What the status of a key follows from. */
export interface StatusFacts {
  readonly key: ApiKey;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The key that replaces it; null = none. */
  readonly replacedBy: string | null;
  /** Of this month, in millionths of a US dollar. */
  readonly spent: { readonly key: number; readonly project: number };
  /** The monthly budget of its project; null = no limit. */
  readonly projectBudgetMicros: number | null;
  /** Recorded in the last minute. */
  readonly recentRequests: number;
  /** Calls of providers in the last hours. */
  readonly calls: { readonly succeeded: number; readonly failed: number };
  readonly lastUsedAt: string | null;
}

export interface KeyStatus {
  readonly code: KeyState;
  /** One sentence. */
  readonly reason: string;
}

/** Hours whose calls show elevated failures. */
export const FAILURE_HOURS = 6;
const FAILED_CALLS_MIN = 5;
const FAILED_SHARE = 0.25;
const SOON_MS = 7 * DAY_MS;
const NEARLY = 0.8;

type Rule = (facts: StatusFacts) => KeyStatus | undefined;

/** In their order: the first that applies is the status. */
const RULES: readonly Rule[] = [ended, overBudget, nearBudget, atRateLimit, endsSoon, failing];

/** How a key is, and why. */
export function keyStatus(facts: StatusFacts): KeyStatus {
  for (const rule of RULES) {
    const status = rule(facts);
    if (status) return status;
  }
  const reason =
    facts.lastUsedAt === null
      ? 'It is valid, and was not used yet.'
      : 'It is valid, within its limits, and few of its calls fail.';
  return { code: 'operational', reason };
}

function ended({ key, now, replacedBy }: StatusFacts): KeyStatus | undefined {
  const { revokedAt, disabledAt, expiresAt } = key;
  if (revokedAt !== null) {
    return { code: 'revoked', reason: `It was revoked on ${day(revokedAt)} and is refused.` };
  }
  if (disabledAt !== null) {
    const reason = `It was disabled on ${day(disabledAt)} and is refused until it is enabled.`;
    return { code: 'disabled', reason };
  }
  if (expiresAt === null || now < Date.parse(expiresAt)) return undefined;
  const cause = replacedBy === null ? 'It expired' : 'It was rotated and ended';
  return { code: 'expired', reason: `${cause} on ${day(expiresAt)} and is refused.` };
}

function overBudget({ key, spent, projectBudgetMicros }: StatusFacts): KeyStatus | undefined {
  const of = (whose: string, micros: number, budget: number): KeyStatus => ({
    code: 'out_of_budget',
    reason: `${whose} spent ${usdText(micros)} of ${usdText(budget)} this month, so searches and fetches are refused.`,
  });
  const own = key.monthlyBudgetMicros;
  if (own !== null && spent.key >= own) return of('It', spent.key, own);
  if (projectBudgetMicros === null || spent.project < projectBudgetMicros) return undefined;
  return of('Its project', spent.project, projectBudgetMicros);
}

function nearBudget({ key, spent, projectBudgetMicros }: StatusFacts): KeyStatus | undefined {
  const of = (whose: string, micros: number, budget: number): KeyStatus => ({
    code: 'nearly_out_of_budget',
    reason: `${whose} spent ${usdText(micros)} of ${usdText(budget)} this month (${Math.floor((micros / budget) * 100)} %).`,
  });
  const own = key.monthlyBudgetMicros;
  if (own !== null && spent.key >= own * NEARLY) return of('It', spent.key, own);
  if (projectBudgetMicros === null || spent.project < projectBudgetMicros * NEARLY)
    return undefined;
  return of('Its project', spent.project, projectBudgetMicros);
}

function atRateLimit({ key: { rateLimit }, recentRequests }: StatusFacts): KeyStatus | undefined {
  if (rateLimit === null || recentRequests < rateLimit) return undefined;
  const reason = `${recentRequests} requests were recorded in the last minute, and it may send ${rateLimit}: more are refused.`;
  return { code: 'rate_limited', reason };
}

function endsSoon({ key: { expiresAt }, now, replacedBy }: StatusFacts): KeyStatus | undefined {
  if (expiresAt === null || Date.parse(expiresAt) - now > SOON_MS) return undefined;
  const cause = replacedBy === null ? 'It expires' : 'It was rotated and ends';
  return { code: 'expires_soon', reason: `${cause} on ${minute(expiresAt)}.` };
}

function failing({ calls: { succeeded, failed } }: StatusFacts): KeyStatus | undefined {
  const all = succeeded + failed;
  if (failed < FAILED_CALLS_MIN || failed < all * FAILED_SHARE) return undefined;
  const reason = `${failed} of its ${all} calls of providers in the last ${FAILURE_HOURS} hours failed.`;
  return { code: 'elevated_failures', reason };
}

const day = (time: string): string => `${time.slice(0, 10)} (UTC)`;
const minute = (time: string): string => `${time.slice(0, 10)} at ${time.slice(11, 16)} (UTC)`;
