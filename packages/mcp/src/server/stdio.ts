import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type ApiKey, Trawl, TrawlError } from '@trawl/client';
import { connectionSettings, loadSettings } from '@trawl/client/settings';
import { rosterReader } from '../tools/rosters.ts';
import { createToolServer, MAX_CHARACTERS } from './tool-server.ts';

export interface StdioOptions {
  readonly version: string;
  readonly timeoutMs: number;
  /** What a user writes to run trawl. */
  readonly command: string;
  readonly log: (line: string) => void;
}

/** Serves the tools over standard input and output, on which nothing else may be written. It ends with the input. */
export function serveOverStdio({ version, timeoutMs, command, log }: StdioOptions): void {
  const { settings } = loadSettings();
  const { baseUrl, apiKey } = connectionSettings();
  const client = new Trawl({ baseUrl, apiKey: () => keyOrAdvice(apiKey, command), timeoutMs });
  const tools = { client, settings, rosters: rosterReader(), maxCharacters: MAX_CHARACTERS };
  serveStdio(() => createToolServer(version, tools), {
    onerror: (error) => log(error.message),
  });
}

/** @throws TrawlError in the words of a host's settings: the client's own speak to who writes code */
async function keyOrAdvice(given: ApiKey | undefined, command: string): Promise<string> {
  const key = typeof given === 'function' ? await given() : given;
  if (key) return key;
  throw new TrawlError(
    'usage',
    `SERVICE_API_KEY is not set: it takes a key of the trawl server. "${command} keys create" on its machine makes one; a demo takes only the key that it printed.`,
  );
}
