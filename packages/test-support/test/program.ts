import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseLocation, openDatabase } from '@trawl/database';
import { type Sandbox, startSandbox } from '@trawl/sandbox';
import { expect, vi } from 'vitest';
import { ROOT } from '../../../scripts/source-files.mjs';
import type { FreshDatabase, TestDatabase } from './databases.ts';

/** The command, which a run of tests builds first. */
export const PROGRAM = join(ROOT, 'dist', 'trawl.js');

export type Settings = Readonly<Record<string, string | undefined>>;

export interface ProgramOptions {
  readonly args: readonly string[];
  /** Its environment, without PATH. */
  readonly settings?: Settings;
  /** The working directory, where it looks for `.env`. */
  readonly folder: string;
  /** The Node.js that runs it; that of the tests when absent. */
  readonly program?: string | undefined;
  /** A script to run instead of the command. */
  readonly script?: string;
  /** An open file that gets its output; nothing is read of it here then. */
  readonly stdout?: number | undefined;
  /** Runs in a terminal of its own, which closes when `child` is killed. */
  readonly hasTerminal?: boolean;
}

export interface Ending {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real program in its own process. */
export interface RunningProgram {
  readonly child: ChildProcess;
  /** Its output so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /**
   * The first log line with this message, as soon as there is one. Rejects when the program ends
   * before.
   */
  readonly logged: (message: string) => Promise<Readonly<Record<string, unknown>>>;
  readonly ended: Promise<Ending>;
}

export interface RunningServer extends RunningProgram {
  readonly url: string;
}

/** Starts `dist/trawl.js`, or the script that is named. */
export async function startProgram({
  args,
  settings = {},
  folder,
  program = process.execPath,
  script = PROGRAM,
  stdout: file,
  hasTerminal = false,
}: ProgramOptions): Promise<RunningProgram> {
  const env = { PATH: process.env.PATH, HOME: folder, ...settings };
  const words = [program, script, ...args];
  const inTerminal = ['script', '-qfec', words.map((word) => `'${word}'`).join(' '), '/dev/null'];
  const [command = '', ...rest] = hasTerminal ? inTerminal : words;
  const child = spawn(command, rest, {
    cwd: folder,
    env,
    stdio: ['ignore', file ?? 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (const look of waiting) look();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close').then(([code]): Ending => ({ code, stdout, stderr }));
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    logged: (message) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = logLines(stdout).find(({ msg }) => msg === message);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        void ended.then(({ code }) => {
          const fault = `it ended with ${code} and never logged "${message}":`;
          reject(new Error(`${fault}\n${stdout}${stderr}`));
        });
      }),
    ended,
  };
}

/** Runs the program to its end. */
export async function runProgram(options: ProgramOptions): Promise<Ending> {
  return (await startProgram(options)).ended;
}

/** `trawl serve`; resolves when it listens. */
export async function startServe(options: Omit<ProgramOptions, 'args'>): Promise<RunningServer> {
  const program = await startProgram({ ...options, args: ['serve'] });
  const { url } = await program.logged('listening');
  return { ...program, url: String(url) };
}

/** Settings of a server on any free port, in front of the sandbox. */
export function settingsFor(sandbox: Sandbox, location?: DatabaseLocation): Settings {
  return {
    ...sandbox.allSettings((vendor) => `sandbox-key-of-${vendor}`),
    PORT: '0',
    BREAKER: 'off',
    DATABASE_URL: location?.databaseUrl,
    DATA_DIR: location?.dataDir,
  };
}

/** The complete lines of a log. */
export function logLines(stdout: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = stdout.split('\n').slice(0, -1);
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}

/** An empty folder for a program to run in. */
export async function newFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'trawl-program-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** What a server of a suite needs around it. */
export interface Site {
  readonly sandbox: Sandbox;
  readonly data: FreshDatabase;
  /** The working directory of programs. */
  readonly folder: string;
  /** Of a server on any free port, in front of that sandbox and on that database. */
  readonly settings: Settings;
  /** Kills the server and removes all of it. */
  clear(server: RunningServer): Promise<void>;
}

export async function newSite(database: TestDatabase): Promise<Site> {
  const sandbox = await startSandbox();
  const data = await database.create();
  const folder = await newFolder();
  return {
    sandbox,
    data,
    folder: folder.path,
    settings: settingsFor(sandbox, data.location),
    clear: async (server) => {
      server.child.kill('SIGKILL');
      await server.ended;
      await sandbox.stop();
      await data.drop();
      await folder.remove();
    },
  };
}

/** One request to a running server. */
export async function request(
  url: string,
  key: string | undefined,
  method = 'GET',
  body?: unknown,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

/** @returns the status of a search of two calls */
export async function search(url: string, key: string, query = 'owls'): Promise<number> {
  const body = { user_input: { query } };
  return (await request(`${url}/v1/search`, key, 'POST', body)).status;
}

/**
 * Ten searches of two calls each, of which the providers have all. Their answers come after three
 * seconds, in which a busy machine can do what is to happen meanwhile.
 */
export async function tenSearches(
  { sandbox }: Site,
  url: string,
  key: string,
): Promise<{ readonly answers: Promise<number[]> }> {
  const searches = Array.from({ length: 10 }, () => search(url, key, 'slow [[*:latency=3000]]'));
  const answers = Promise.all(searches);
  answers.catch(() => {});
  await vi.waitFor(() => expect(sandbox.calls).toHaveLength(20), { timeout: 20_000 });
  return { answers };
}

/** The calls in the ledger. */
export async function callsBooked({ data }: Site): Promise<number> {
  const { db } = openDatabase(data.location, { connections: 1 });
  const rows = await db.selectFrom('ledger').select(['calls']).execute();
  await db.destroy();
  return rows.reduce((sum, { calls }) => sum + calls, 0);
}
