import { commandHere } from '@trawl/client/terminal/manifest';
import { serveOverStdio } from '@trawl/mcp';
import { UsageError } from '../program/usage-error.ts';

const MOST_SECONDS = 3_600;

/**
 * Serves the tools over standard input and output until the input ends. Logs go to standard error.
 */
export function mcp(version: string, options: { readonly timeout: string }): void {
  const seconds = Number(options.timeout);
  if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
    throw new UsageError(
      `--timeout is a number of seconds up to ${MOST_SECONDS}: ${options.timeout}`,
    );
  }
  serveOverStdio({
    version,
    timeoutMs: Math.ceil(seconds * 1000),
    command: commandHere(),
    log: (line) => process.stderr.write(`trawl mcp: ${line}\n`),
  });
}
