export interface Skip {
  readonly name: string;
  readonly reason: string;
}
export interface TestFile {
  readonly name: string;
  readonly seconds: number;
  readonly processorSeconds?: number;
}
export interface StepResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skips: readonly Skip[];
  readonly files?: readonly TestFile[];
  readonly seconds: number;
  readonly output: string;
}
export function verdictLine(result: StepResult): string;
export function busiestLines(result: StepResult): readonly string[];
export function closingLines(
  results: readonly StepResult[],
  requireAll: boolean,
): { readonly lines: string[]; readonly ok: boolean };
