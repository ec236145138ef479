export interface Skip {
  readonly name: string;
  readonly reason: string;
}
export interface StepResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skips: readonly Skip[];
  readonly flaky?: readonly string[];
  readonly firstTry?: string;
  readonly seconds: number;
  readonly output: string;
}
export function verdictLine(result: StepResult): string;
export function closingLines(
  results: readonly StepResult[],
  requireAll: boolean,
): { readonly lines: string[]; readonly ok: boolean };
