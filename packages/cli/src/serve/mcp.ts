import { commandHere } from '@trawl/client/terminal/manifest';
import { serveOverStdio, toolNames, unknownTool } from '@trawl/mcp';
import { UsageError } from '../program/usage-error.ts';

const MOST_SECONDS = 3_600;

/**
 * Serves the tools over standard input and output until the input ends. Logs go to standard error.
 * @param tools the value of `MCP_TOOLS`; the usual tools when it is empty
 */
export function mcp(version: string, options: { readonly timeout: string }, tools = ''): void {
  const seconds = Number(options.timeout);
  if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
    throw new UsageError(
      `--timeout is a number of seconds up to ${MOST_SECONDS}: ${options.timeout}`,
    );
  }
  const names = tools.trim() === '' ? undefined : toolNames(tools);
  if (names && 'unknown' in names) throw new UsageError(`MCP_TOOLS: ${unknownTool(names.unknown)}`);
  serveOverStdio({
    version,
    timeoutMs: Math.ceil(seconds * 1000),
    command: commandHere(),
    toolNames: names,
    log: (line) => process.stderr.write(`trawl mcp: ${line}\n`),
  });
}
