import { EXIT } from './exit-codes.ts';

/** What commander throws after help, or after a mistake that it has already printed. */
interface Printed extends Error {
  readonly exitCode: number;
}

export const isPrinted = (error: unknown): error is Printed =>
  error instanceof Error &&
  'code' in error &&
  String(error.code).startsWith('commander.') &&
  'exitCode' in error;

/** Sets the exit code after help or a mistake on the command line, and says the latter in JSON. */
export function leave({ exitCode, message }: Printed, args: readonly string[]): void {
  process.exitCode = exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (exitCode === 0 || !(args.includes('--json') || args.includes('--jsonl'))) return;
  const error = { code: 'usage', message: message.replace(/^error: /, '') };
  process.stderr.write(`${JSON.stringify({ error })}\n`);
}
