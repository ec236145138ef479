/** What Exa's endpoints have in common: https://exa.ai/docs/reference/error-codes */
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { finiteNumber, object, without } from '../values/json.ts';
import type { ReportedUsage } from '../values/price.ts';
import { text } from '../values/text.ts';

const KEY_REFUSED = new Set(['INVALID_API_KEY', 'TEAM_BLOCKED']);
/** A 403 about this query or its pages, not about the key. */
const REQUEST_REFUSED = new Set(['PROHIBITED_CONTENT', 'ROBOTS_FILTER_FAILED']);
const OUT_OF_MONEY = new Set([
  'NO_MORE_CREDITS',
  'API_KEY_BUDGET_EXCEEDED',
  'TEAM_BUDGET_EXCEEDED',
]);

export function exaUsage(costDollars: unknown): ReportedUsage | null {
  const cost = object(costDollars);
  const total = finiteNumber(cost.total);
  return total === null ? null : { costUsd: total, units: without(cost, new Set(['total'])) };
}

export function readExaFailure({ body }: FailedAnswer): FailureReading | undefined {
  const tag = text(object(body).tag) ?? '';
  if (KEY_REFUSED.has(tag)) return { code: 'invalid_credential' };
  if (OUT_OF_MONEY.has(tag)) return { code: 'quota_exhausted' };
  return REQUEST_REFUSED.has(tag) ? { code: 'bad_request' } : undefined;
}
