import { counted, print, printJson } from '@trawl/client/terminal/output';
import { openFault } from '@trawl/store';
import { checkWholeDatabase, type DatabaseReport } from '@trawl/upkeep';
import { namedDatabase } from '../keys/key-database.ts';
import type { Runtime } from '../program/runtime.ts';

/** Prints a line per fault; false = there is one. */
export async function checkDatabase(
  runtime: Runtime,
  { json = false }: { readonly json?: boolean },
): Promise<boolean> {
  const config = await namedDatabase(runtime, { mayCreate: false, isQuiet: json });
  const report = await checkWholeDatabase(config).catch((error: unknown) => {
    throw openFault(config, error);
  });
  if (json) printJson(reportJson(report));
  else print(reportText(report));
  return report.findings.length === 0;
}

const reportJson = ({ schema, findings, interactions, runs, usageDays }: DatabaseReport) => ({
  ok: findings.length === 0,
  schema,
  findings,
  checked: { interactions, runs, usage_days: usageDays },
});

function reportText({ findings, interactions, runs, usageDays }: DatabaseReport): string {
  if (findings.length > 0) {
    return findings.map(({ check, message }) => `PROBLEM  ${check}: ${message}\n`).join('');
  }
  return `ok  ${counted(interactions, 'interaction')}, ${counted(runs, 'run')}, ${counted(usageDays, 'day')} of usage\n`;
}
