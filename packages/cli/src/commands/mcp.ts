import { commandHere } from '@trawl/client/terminal/manifest';
import type { Command } from 'commander';
import type { ServerEntry } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';
import { addMcpClients } from './mcp-clients.ts';
import { addMcpInstall } from './mcp-install.ts';

const MOST_SECONDS = 3_600;

/** `trawl mcp` and the commands below it */
export function addMcp(program: Command, entry: ServerEntry): void {
  const { version, environment } = entry;
  const mcp = program
    .command('mcp')
    .description(
      'serve the tools web_search, web_fetch and search_history, or those of MCP_TOOLS, to an MCP host over stdio',
    )
    .option('--timeout <seconds>', 'time limit of a tool call', '50')
    .action((options: { timeout: string }) => serveTools(version, options, environment.MCP_TOOLS));
  addMcpInstall(mcp, entry);
  addMcpClients(mcp, entry);
}

/**
 * Serves the tools over standard input and output until the input ends. Logs go to standard error.
 * @param tools the value of `MCP_TOOLS`; the usual tools when it is empty
 */
async function serveTools(
  version: string,
  options: { readonly timeout: string },
  tools = '',
): Promise<void> {
  const { serveOverStdio, toolNames, unknownTool } = await import('@trawl/mcp');
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
