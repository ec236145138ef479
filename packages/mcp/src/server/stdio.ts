import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type ApiKey, Trawl, TrawlError } from '@trawl/client';
import { connectionSettings, loadSettings } from '@trawl/client/settings';
import type { McpToolName } from '@trawl/contract';
import type { Tools } from '../tools/context.ts';
import { rosterReader } from '../tools/rosters.ts';
import { createToolServer, MAX_CHARACTERS } from './tool-server.ts';
import { withoutMarks } from './without-marks.ts';

export interface StdioOptions {
  readonly version: string;
  readonly timeoutMs: number;
  /** How a user runs trawl, for hints. */
  readonly command: string;
  /** The usual tools when absent. */
  readonly toolNames?: readonly McpToolName[] | undefined;
  readonly log: (line: string) => void;
}

/**
 * Serves the tools over standard input and output until the input ends. Nothing else may write to
 * standard output.
 */
export function serveOverStdio({
  version,
  timeoutMs,
  command,
  toolNames,
  log,
}: StdioOptions): void {
  const { settings } = loadSettings();
  const { baseUrl, apiKey } = connectionSettings();
  const client = new Trawl({ baseUrl, apiKey: () => keyOrAdvice(apiKey, command), timeoutMs });
  const tools: Tools = {
    client,
    settings,
    fallback: 'auto',
    rosters: rosterReader(),
    maxCharacters: MAX_CHARACTERS,
  };
  serveStdio(() => createToolServer(version, tools, toolNames), {
    onerror: (error) => log(error.message),
    transport: new StdioServerTransport(withoutMarks(process.stdin)),
  });
}

/**
 * @throws TrawlError that names the setting of a host. The client's own message is meant for
 * programmers.
 */
async function keyOrAdvice(given: ApiKey | undefined, command: string): Promise<string> {
  const key = typeof given === 'function' ? await given() : given;
  if (key) return key;
  throw new TrawlError(
    'usage',
    `SERVICE_API_KEY is not set: set it to a key of the trawl server. "${command} keys create" on its machine creates one; a demo accepts only the key that it printed.`,
  );
}
