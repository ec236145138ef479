import type { DryRun } from '@trawl/contract';
import type { JsonObject } from '@trawl/contract/json-object';
import { moneyText } from '../parts/number-text.ts';

/**
 * A request of the public API that was made or may be made: what the playground holds, and what a
 * link to it carries.
 */
export interface PlannedRequest {
  readonly mode: 'search' | 'fetch';
  /** The body of the request, in the words of the API. */
  readonly body: JsonObject;
}

/** Members of a body that only the general form of a search reads. */
const GENERAL_MEMBERS = ['user_id', 'postprocessor_names', 'preprocessor_names'] as const;

/** Where a request is sent. A search with a user or with postprocessors is an interaction. */
export function endpointOf({
  mode,
  body,
}: PlannedRequest): 'POST /v1/search' | 'POST /v1/interactions' | 'POST /v1/fetch' {
  if (mode === 'fetch') return 'POST /v1/fetch';
  const isGeneral = GENERAL_MEMBERS.some((name) => (body[name] ?? null) !== null);
  return isGeneral ? 'POST /v1/interactions' : 'POST /v1/search';
}

type PlannedCall = DryRun['calls'][number];

/** The calls that are made in any case. */
export const certain = <Call extends Pick<PlannedCall, 'conditional'>>(
  planned: readonly Call[],
): readonly Call[] => planned.filter(({ conditional }) => !conditional);

/** What a planned request would call and cost: `6 calls, about $0.031`. */
export function plannedPrice(plan: DryRun): string {
  const { total_usd: total, max_total_usd: maximum } = plan;
  const calls = certain(plan.calls);
  const count = `${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`;
  const known = calls.filter(({ cost_usd }) => cost_usd !== null);
  const unknown = calls.length - known.length;
  const sum = total ?? known.reduce((all, { cost_usd }) => all + (cost_usd ?? 0), 0);
  const isExact = calls.every(({ cost_kind }) => cost_kind === 'known');
  const price = `${isExact ? '' : 'about '}${moneyText(sum)}`;
  const parts = [count];
  if (unknown === 0) parts.push(price);
  else if (known.length > 0) parts.push(`${price} and ${unknown} of unknown price`);
  else parts.push('price not known');
  if (calls.length < plan.calls.length && typeof maximum === 'number')
    parts.push(`at most ${moneyText(maximum)} with the fallback`);
  return parts.join(', ');
}
