import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Trawl } from '@trawl/client';
import { connectionSettings, loadSettings } from '@trawl/client/settings';
import { createToolServer, MAX_CHARACTERS } from './tool-server.ts';

export interface StdioOptions {
  readonly version: string;
  readonly timeoutMs: number;
  readonly log: (line: string) => void;
}

/** Serves the tools over standard input and output, on which nothing else may be written. It ends with the input. */
export function serveOverStdio({ version, timeoutMs, log }: StdioOptions): void {
  const { settings } = loadSettings();
  const client = new Trawl({ ...connectionSettings(), timeoutMs });
  serveStdio(() => createToolServer(version, { client, settings, maxCharacters: MAX_CHARACTERS }), {
    onerror: (error) => log(error.message),
  });
}
