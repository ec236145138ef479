import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { DryRun } from '@trawl/contract';
import { callApi } from '../../api/call.ts';
import { hasStatus } from '../../api/error.ts';
import { moneyText } from '../../parts/number-text.ts';
import { useSettled } from '../../parts/use-settled.ts';
import { endpointOf, type PlannedRequest } from '../../requests/planned.ts';
import { isRunnable, optionsOf } from './draft.ts';

const dryRun = async (
  project: string,
  request: PlannedRequest,
  signal: AbortSignal,
): Promise<DryRun> => {
  const sent = { query: { dry_run: true }, body: request.body as never, signal };
  return (await callApi(project, endpointOf(request), sent)) as unknown as DryRun;
};

export type Plan = UseQueryResult<DryRun> & {
  /** Whether it is of the request as it is now. */
  readonly isCurrent: boolean;
  /** Whether the server refuses the request as it is now, whatever happens elsewhere. */
  readonly isRefused: boolean;
};

/**
 * The calls and prices of the request as it is written now, and what the server would refuse about
 * it. Nothing is bought.
 */
export function usePlan(project: string, request: PlannedRequest, isAllowed: boolean): Plan {
  const settled = useSettled(request);
  const query = useQuery({
    queryKey: ['playground', project, 'plan', settled],
    queryFn: ({ signal }) => dryRun(project, settled, signal),
    enabled: isAllowed && isRunnable(settled),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isCurrent = settled === request && query.isSuccess && !query.isPlaceholderData;
  return { ...query, isCurrent, isRefused: settled === request && isFault(query.error) };
}

/** A refusal that is about the request itself. */
const isFault = (error: unknown): boolean => hasStatus(error, 400) || hasStatus(error, 422);

/** Options that the price of a call depends on. */
const PRICED = ['tier', 'fields', 'num_results', 'include_full_content', 'economy'] as const;

/** The price of one call of each provider, with the options of the request. */
export function useProviderPrices(
  project: string,
  request: PlannedRequest,
  providers: readonly string[],
): ReadonlyMap<string, DryRun['calls'][number]> {
  const options = optionsOf(useSettled(request));
  const priced = Object.fromEntries(PRICED.map((name) => [name, options[name]]));
  const { data } = useQuery({
    queryKey: ['playground', project, 'prices', providers, priced],
    queryFn: ({ signal }) => {
      const search = { ...priced, providers: { include: providers } };
      const body = { user_input: { query: 'price' }, search };
      return dryRun(project, { mode: 'search', body }, signal);
    },
    enabled: request.mode === 'search' && providers.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });
  return new Map(data?.calls.map((call) => [call.provider, call]));
}

/** The price of one call for a chip: `$0.005`, `about $0.01`, `price not known`. */
export function callPrice(call: DryRun['calls'][number] | undefined): string {
  if (!call || call.cost_usd === null) return 'price not known';
  const text = moneyText(call.cost_usd);
  return call.cost_kind === 'estimated' ? `about ${text}` : text;
}
