import { EXIT } from './exit-codes.ts';

/**
 * Ends the process after help, or after a mistake on the command line that commander has already
 * printed.
 */
export function leave(
  { exitCode, message }: { readonly exitCode: number; readonly message: string },
  args: readonly string[],
): never {
  if (exitCode === 0) process.exit(EXIT.ok);
  if (args.includes('--json') || args.includes('--jsonl')) {
    const error = { code: 'usage', message: message.replace(/^error: /, '') };
    process.stderr.write(`${JSON.stringify({ error })}\n`);
  }
  process.exit(EXIT.usage);
}
