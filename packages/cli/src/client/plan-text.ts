import type { AppliedFilters, DryRun } from '@trawl/client';
import type { CommandContext } from '@trawl/client/terminal/command';
import { costText } from '@trawl/client/terminal/output';
import { rowsText } from '../program/table.ts';

/** The planned calls and their prices. @param queries of a search, by index */
export async function planText(
  { out }: CommandContext,
  plan: DryRun,
  queries: readonly string[] = [],
): Promise<string> {
  const { max_total_usd: maximum, total_usd: total } = plan;
  const hasFallback = plan.calls.some(({ conditional }) => conditional);
  const hasFilters = plan.calls.some(({ filters }) => filters !== undefined);
  const rows = plan.calls.map((call) => [
    call.provider,
    call.url ?? queries[call.batch_index ?? 0] ?? '',
    costText(call.cost_usd),
    call.cached ? 'recorded' : call.cost_kind,
    ...(hasFallback ? [call.conditional ? 'if all others fail' : 'always'] : []),
    ...(hasFilters ? [filtersText(call.filters)] : []),
  ]);
  const text = await rowsText(
    out,
    [
      ['provider', 14],
      ['query or page', 0.99],
      ['cost', 10],
      ['price is', 12],
      ...(hasFallback ? ([['called', 18]] as const) : []),
      ...(hasFilters ? [['filters', 40] as const] : []),
    ],
    rows,
  );
  const how = hasFallback ? ' with the fallback' : '';
  const most = maximum === undefined ? '' : `, at most ${costText(maximum)}${how}`;
  return out.isTerminal ? `${text}total ${costText(total)}${most}; nothing was called\n` : text;
}

/** `native country, unsupported language` */
const filtersText = (filters: AppliedFilters = {}): string =>
  Object.entries(filters)
    .map(([name, how]) => `${how} ${name}`)
    .join(', ');
