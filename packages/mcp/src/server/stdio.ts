import { type Readable, Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type ApiKey, Trawl, TrawlError } from '@trawl/client';
import { connectionSettings, loadSettings } from '@trawl/client/settings';
import type { McpToolName } from '@trawl/contract';
import type { Tools } from '../tools/context.ts';
import { rosterReader } from '../tools/rosters.ts';
import { createToolServer, MAX_CHARACTERS } from './tool-server.ts';

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

const MARK = '\ufeff';

/**
 * The input without a byte order mark at the start of a line, as some programs of Windows write it:
 * a line with one is not JSON. When the reader pauses for good, the input is let go.
 */
export function withoutMarks(input: Readable): Transform {
  const decoder = new StringDecoder('utf8');
  let before = '\n';
  const lines = new Transform({
    transform(piece: Buffer, _encoding, done) {
      const text = before + decoder.write(piece);
      const kept = text.replaceAll(`\n${MARK}`, '\n').slice(1);
      before = text.at(-1) === MARK && text.at(-2) === '\n' ? '\n' : (text.at(-1) ?? '\n');
      done(null, kept);
    },
    flush(done) {
      done(null, decoder.end());
    },
  });
  lines.once('pause', () => input.unpipe(lines).pause());
  return input.pipe(lines);
}
