import type { UsageReport, UsageRow } from '@trawl/client';
import { type CommonFlags, runWithKey } from '@trawl/client/terminal/command';
import { costText, print, printJson } from '@trawl/client/terminal/output';
import type { Environment, Style } from '@trawl/client/terminal/style';
import type { Command } from 'commander';
import { API_JSON } from '../program/flags.ts';
import { rowsText } from '../program/table.ts';

/** `trawl usage` */
export function addUsage(program: Command, environment: Environment): void {
  program
    .command('usage')
    .description('calls and cost of the key, or of the whole project with permission manage')
    .option('--from <date>', 'first day or moment; 30 days before the end when absent')
    .option('--to <date>', 'last day, or a moment; now when absent')
    .option('--group-by <list>', 'comma list of day, provider, key_id, user_id, key_tail')
    .option('--json', API_JSON)
    .action((flags) => showUsage(environment, flags));
}

interface UsageFlags extends CommonFlags {
  readonly from?: string;
  readonly to?: string;
  readonly groupBy?: string;
}

const GROUPS = ['day', 'provider', 'key_id', 'user_id', 'key_tail'] as const;

/** `trawl usage`: calls and cost. */
const showUsage = (environment: Environment, flags: UsageFlags) =>
  runWithKey(environment, flags, async ({ client, out, signal }) => {
    const query = { from: flags.from, to: flags.to, group_by: flags.groupBy };
    const report = await client.usage(query, { signal });
    if (flags.json) printJson(report);
    else print(await usageText(report, out));
    return 0;
  });

async function usageText({ from, to, rows }: UsageReport, style: Style): Promise<string> {
  const groups = GROUPS.filter((group) => rows.some((row) => group in row));
  const text = await rowsText(
    style,
    [
      ...groups.map((group) => [group, 0.99 / groups.length] as const),
      ['calls', 10],
      ['unpriced', 10],
      ['cost', 14],
      ['cached', 10],
      ['saved', 14],
    ],
    rows.map((row) => [
      ...groups.map((group) => row[group] ?? 'none'),
      String(row.calls),
      String(row.unpriced_calls),
      costText(row.cost_usd),
      String(row.cached_calls),
      costText(row.saved_usd),
    ]),
  );
  return style.isTerminal ? `${from} to ${to}\n${text}${totalText(rows)}` : text;
}

function totalText(rows: readonly UsageRow[]): string {
  const sum = (pick: (row: UsageRow) => number) => rows.reduce((all, row) => all + pick(row), 0);
  const unpriced = sum((row) => row.unpriced_calls);
  const rest = unpriced > 0 ? `, and the unknown price of ${unpriced}` : '';
  const served = sum((row) => row.cached_calls);
  const saved = costText(sum((row) => row.saved_usd));
  const more = served > 0 ? `; ${served} answered from the record, which saved ${saved}` : '';
  const cost = costText(sum((row) => row.cost_usd ?? 0));
  return `${sum((row) => row.calls)} calls, ${cost}${rest}${more}\n`;
}
