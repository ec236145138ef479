import type { DryRun } from '@trawl/client';
import type { CommandContext } from './command.ts';
import { costText, rowsText } from './output.ts';

/** The planned calls and their prices. @param queries of a search, by index */
export function planText(
  { out }: CommandContext,
  plan: DryRun,
  queries: readonly string[] = [],
): string {
  const rows = plan.calls.map((call) => [
    call.provider,
    call.url ?? queries[call.batch_index ?? 0] ?? '',
    costText(call.cost_usd),
    call.cost_kind,
  ]);
  const text = rowsText(
    out,
    [
      ['provider', 14],
      ['query or page', 0.99],
      ['cost', 10],
      ['price is', 12],
    ],
    rows,
  );
  return out.isTerminal ? `${text}total ${costText(plan.total_usd)}; nothing was called\n` : text;
}
