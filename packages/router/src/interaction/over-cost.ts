import type { PlannedCall } from '@trawl/contract';
import { estimatedMicros } from '../billing/planned-call.ts';
import { microsOf, usdText } from '../billing/records.ts';
import { RequestError } from '../requests/request-error.ts';

/** The refusal of a call that would cost more than its cap. @param place the cap's field */
export function costsTooMuch(
  place: string,
  calls: readonly PlannedCall[],
  maxCostUsd: number,
): RequestError {
  const unknown = [
    ...new Set(calls.flatMap(({ provider, cost_usd }) => (cost_usd === null ? provider : []))),
  ];
  const price = usdText(estimatedMicros(calls));
  const cause =
    unknown.length > 0
      ? `the price of ${unknown.join(', ')} is not known, and under a cap no call of unknown price is made`
      : `this would cost ${price}`;
  const message = `${place}: ${cause}, and the cap is ${usdText(microsOf(maxCostUsd) ?? 0)}; raise it, or name providers that cost less`;
  return new RequestError(402, message, { typed: { code: 'max_cost_exceeded', param: place } });
}
