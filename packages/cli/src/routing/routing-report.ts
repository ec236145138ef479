import { systemClock } from '@trawl/base';
import { LIMITS } from '@trawl/contract';
import { readConfig, reportRouting } from '@trawl/server';
import type { Runtime } from '../program/runtime.ts';
import { styleOf } from '../program/style.ts';
import { print } from '../program/table.ts';
import { UsageError } from '../program/usage-error.ts';
import { reportJson, reportText } from './routing-report-output.ts';

export interface ReportOptions {
  readonly days: string;
  readonly project?: string;
  readonly json?: boolean;
}

/** `trawl routing report`: recorded searches by topic, next to the ranking in use. */
export async function printReport(runtime: Runtime, options: ReportOptions): Promise<void> {
  const wanted = { days: readDays(options.days), project: options.project };
  const config = readConfig(runtime.environment);
  const report = await reportRouting(config, runtime.workerUrl, systemClock, wanted);
  const { bold } = styleOf(process.stdout, runtime.environment);
  print(options.json ? `${JSON.stringify(reportJson(report))}\n` : reportText(report, bold));
}

export function readDays(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= LIMITS.usageDays) return days;
  throw new UsageError(`--days takes a whole number from 1 to ${LIMITS.usageDays}`);
}
