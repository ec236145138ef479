import { costText } from '@trawl/client/terminal/output';
import type { Painter } from '@trawl/client/terminal/style';
import type { SearchRun, Warning } from '@trawl/contract';
import { MICROS } from '@trawl/router';
import { table } from '../program/table.ts';

/**
 * One table per query with the rows of all providers, then time, cost, errors and warnings of each
 * call.
 */
export function queryText(
  runs: readonly SearchRun[],
  costOf: ReadonlyMap<string, LedgerCost>,
  bold: Painter,
): string {
  return [
    '',
    bold(`"${runs[0]?.query ?? ''}"`),
    rowTable(runs),
    ...runs.flatMap((run) => [
      `  ${bold(run.preprocessor_name)}: ${run.status}, ${run.latency_ms} ms, ${ledgerCost(costOf.get(run.id))}`,
      ...(run.error ? [`    failed: ${run.error.message}`] : []),
      ...warningsIn(run)
        .filter((warning) => !isGap(warning))
        .map(({ code, message }) => `    warning ${code}: ${message}`),
    ]),
    '',
  ].join('\n');
}

/** The other queries of the batch, a line each: their tables would look like the first one. */
export function countText(runs: readonly SearchRun[], bold: Painter): string {
  const rows = runs.reduce(
    (sum, { output_payload: output }) => sum + (output?.results.length ?? 0),
    0,
  );
  return `${bold(`"${runs[0]?.query ?? ''}"`)}: ${rows} rows of ${runs.length} providers, in the same answer.\n`;
}

const warningsIn = ({ output_payload: output }: SearchRun): readonly Warning[] =>
  output?.warnings ?? [];
const isGap = ({ code }: Warning): boolean => code === 'capability_gap';

/** Counts the gaps. The answer has a warning for each, so the demo does not list them. */
export function gapsText(runs: readonly SearchRun[]): string {
  const gaps = runs.flatMap((run) => warningsIn(run).filter(isGap));
  const fields = [...new Set(gaps.map(({ message }) => message.replace(/:.*/s, '')))];
  return `\n${gaps.length} gaps: fields that a provider does not supply (${fields.join(', ')}). They are null, and each is a warning (capability_gap) of the answer.\n`;
}

function rowTable(runs: readonly SearchRun[]): string {
  return table(
    [
      ['provider', 12],
      ['rank', 6],
      ['title', 0.45],
      ['url', 0.55],
    ],
    runs.flatMap(({ preprocessor_name: provider, output_payload: output }) =>
      (output?.results ?? []).map((row) => [
        provider,
        String(row.rank),
        row.title ?? '(no title)',
        row.url ?? '',
      ]),
    ),
  );
}

/** The cost of a call in the ledger. */
export interface LedgerCost {
  readonly costMicros: number | null;
  readonly costSource: string | null;
}

function ledgerCost(cost: LedgerCost | undefined): string {
  if (cost?.costMicros == null) return 'cost unknown';
  const source = cost.costSource === 'reported' ? 'reported by the provider' : 'by its price list';
  return `${costText(cost.costMicros / MICROS)} ${source}`;
}
