import { aligned, costText, counted } from '@trawl/client/terminal/output';

/** The result of one check. `skipped` = it does not apply, or it was not requested. */
export type CheckState = 'ok' | 'warning' | 'problem' | 'skipped';

/** One line of the doctor's report. */
export interface DoctorCheck {
  /** Name of the check, such as `disk` or `search NAME`. */
  readonly check: string;
  readonly state: CheckState;
  /** The finding and, after a colon, what to do about it. Never a secret. */
  readonly message: string;
  /** The code of a provider's failure. */
  readonly code?: string;
  readonly latency_ms?: number | null;
  /** null = not known. */
  readonly cost_usd?: number | null;
  /**
   * In the report for people, checks of one group share a line: their common message, and the name
   * of this one.
   */
  readonly group?: { readonly check: string; readonly message: string; readonly name: string };
}

const MARKS: Readonly<Record<CheckState, string>> = {
  ok: 'ok     ',
  warning: 'warning',
  problem: 'PROBLEM',
  skipped: '-      ',
};

/** The report for people: a line per check, or per group of checks. */
export function reportText(all: readonly DoctorCheck[]): string {
  const checks = grouped(all);
  const lines = aligned(
    checks.map((one) => [MARKS[one.state], one.check, `${one.message}${measured(one)}`]),
  );
  return `${lines.join('\n')}\n\n${summary(all)}\n`;
}

/** Merges each group into one check, at the place of its first check. */
function grouped(checks: readonly DoctorCheck[]): readonly DoctorCheck[] {
  const names = new Map<string, string[]>();
  return checks
    .flatMap((one) => {
      const { group } = one;
      if (group === undefined) return [{ one, key: '' }];
      const key = JSON.stringify([one.state, group.check, group.message]);
      const known = names.get(key);
      names.set(key, [...(known ?? []), group.name]);
      return known === undefined ? [{ one, key }] : [];
    })
    .map(({ one, key }) => {
      const { group } = one;
      if (group === undefined) return one;
      const message = `${group.message}: ${(names.get(key) ?? []).join(', ')}`;
      return { check: group.check, state: one.state, message };
    });
}

/** The report for machines. */
export function reportJson(checks: readonly DoctorCheck[]): string {
  const { problems, warnings } = counts(checks);
  const plain = checks.map(({ group: _, ...check }) => check);
  return `${JSON.stringify({ healthy: problems === 0, problems, warnings, checks: plain })}\n`;
}

export const isHealthy = (checks: readonly DoctorCheck[]): boolean => counts(checks).problems === 0;

function counts(checks: readonly DoctorCheck[]) {
  const count = (state: CheckState) => checks.filter((one) => one.state === state).length;
  return { problems: count('problem'), warnings: count('warning') };
}

function summary(checks: readonly DoctorCheck[]): string {
  const { problems, warnings } = counts(checks);
  const words = (count: number, word: string) =>
    count === 0 ? `no ${word}s` : counted(count, word);
  return `${words(problems, 'problem')}, ${words(warnings, 'warning')}`;
}

function measured({ latency_ms, cost_usd }: DoctorCheck): string {
  const time = typeof latency_ms === 'number' ? `${latency_ms} ms` : undefined;
  const cost = cost_usd === undefined ? undefined : `cost ${costText(cost_usd)}`;
  const parts = [time, cost].filter(Boolean);
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}
