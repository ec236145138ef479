import { type DatabaseLocation, openDatabase } from '@trawl/database';
import { databases } from '@trawl/test-support/databases';
import {
  newFolder,
  type RunningServer,
  runProgram,
  type Settings,
  startServe,
} from '@trawl/test-support/program';
import { sql } from 'kysely';
import { Agent, fetch } from 'undici';

export const BOOTSTRAP_API_KEY = 'bootstrap-key-of-the-chaos-suite';

/** Waits for the server as long as a test does: a slow connection is measured, not a failure. */
const CLIENT = new Agent({ connect: { timeout: 300_000 }, headersTimeout: 0, bodyTimeout: 0 });

export interface TrawlOptions {
  readonly settings?: Settings;
  /**
   * An existing database, for a second start or a replica. Without one it gets a fresh one, dropped
   * by `stop`.
   */
  readonly location?: DatabaseLocation;
  /** The kind of a fresh database. Default: SQLite. */
  readonly database?: 'SQLite' | 'PostgreSQL';
}

/** `trawl serve` in its own process. */
export interface Trawl extends RunningServer {
  readonly pid: number;
  /** A key with all permissions in its project. */
  readonly key: string;
  readonly location: DatabaseLocation;
  call(path: string, options?: CallOptions): Promise<Answer>;
  search(body: unknown, key?: string): Promise<Answer>;
  /**
   * A key in the project of this name, which is created if it is new.
   * @param limits such as `--monthly-budget 0.5`, as arguments of `trawl keys create`
   */
  makeKey(project: string, ...limits: readonly string[]): Promise<string>;
  /** Kills the server and removes its data. */
  stop(): Promise<void>;
}

export interface CallOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

export async function startTrawl(options: TrawlOptions = {}): Promise<Trawl> {
  const kind = databases.find(({ name }) => name === (options.database ?? 'SQLite'));
  if (!kind) throw new Error(`${options.database} does not answer`);
  const fresh = options.location ? undefined : await kind.create();
  const location = options.location ?? fresh?.location;
  if (!location) throw new Error('no database');
  const folder = await newFolder();
  const settings = {
    PORT: '0',
    DATABASE_URL: location.databaseUrl,
    DATA_DIR: location.dataDir,
    BOOTSTRAP_API_KEY,
    ...options.settings,
  };
  const server = await startServe({ settings, folder: folder.path });
  const call = async (
    path: string,
    { method, body, key = BOOTSTRAP_API_KEY, headers }: CallOptions = {},
  ) => {
    const startedAt = performance.now();
    const response = await fetch(`${server.url}${path}`, {
      method: method ?? 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      dispatcher: CLIENT,
    });
    const text = await response.text();
    return { status: response.status, text, ms: performance.now() - startedAt };
  };
  return {
    ...server,
    pid: server.child.pid ?? 0,
    key: BOOTSTRAP_API_KEY,
    location,
    call,
    search: (body, key) =>
      call('/v1/search', { method: 'POST', body, ...(key === undefined ? {} : { key }) }),
    makeKey: async (project, ...limits) => {
      const names = ['--project', project, '--name', project];
      const args = ['keys', 'create', ...names, ...limits, '--json'];
      const { code, stdout, stderr } = await runProgram({ args, settings, folder: folder.path });
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout).key;
    },
    stop: async () => {
      server.child.kill('SIGKILL');
      await server.ended;
      await fresh?.drop();
      await folder.remove();
    },
  };
}

export interface LedgerCounts {
  readonly rows: number;
  /** Requests that reached a provider. */
  readonly calls: number;
  readonly costMicros: number;
  readonly interactions: number;
  readonly runs: number;
}

/** Counts of the records in a database, read directly. */
export async function countRecords(location: DatabaseLocation): Promise<LedgerCounts> {
  const { db } = openDatabase(location, { connections: 1 });
  try {
    const { rows } = await sql<LedgerCounts>`select
      (select count(*) from ledger) as "rows",
      (select cast(coalesce(sum(calls), 0) as bigint) from ledger) as "calls",
      (select cast(coalesce(sum(cost_micros), 0) as bigint) from ledger) as "costMicros",
      (select count(*) from interactions) as "interactions",
      (select count(*) from runs) as "runs"`.execute(db);
    const [counts] = rows;
    if (!counts) throw new Error('no counts');
    return counts;
  } finally {
    await db.destroy();
  }
}
