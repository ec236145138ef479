/**
 * What Tavily's endpoints have in common:
 * https://docs.tavily.com/documentation/api-reference/introduction
 */
import { isJsonObject } from '@trawl/contract';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { finiteNumber, object } from '../values/json.ts';
import type { ReportedUsage } from '../values/price.ts';

/** Images are plain addresses, or objects with an address and a description. */
export const tavilyImageUrl = (image: unknown): unknown =>
  isJsonObject(image) ? image.url : image;

export function tavilyUsage(reported: unknown): ReportedUsage | null {
  const units = object(reported);
  return finiteNumber(units.credits) === null ? null : { units, costUsd: null };
}

/** Two statuses of its own: 432 the plan or the key is used up, 433 the pay-as-you-go limit is. */
export function readTavilyFailure({ status }: FailedAnswer): FailureReading | undefined {
  return status === 432 || status === 433 ? { code: 'quota_exhausted' } : undefined;
}
