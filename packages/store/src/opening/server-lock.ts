import { hostname } from 'node:os';
import { join } from 'node:path';
import { faultKind } from '@trawl/base';
import type { SqliteConnection } from '@trawl/database';
import { StoreOpenError } from './open-fault.ts';

export const SERVER_LOCK_FILE = 'server.lock';

export interface ServerLock {
  release(): void;
}

/**
 * Makes this process the only server on the embedded database in `dataDir`. The lock is the write
 * lock of a small separate database. The operating system releases it when the process ends in any
 * way. Commands that run next to a server do not take it.
 * @throws StoreOpenError when another server holds it
 */
export async function lockForServer(dataDir: string): Promise<ServerLock> {
  const { openSqlite } = await import('@trawl/database/sqlite');
  const path = join(dataDir, SERVER_LOCK_FILE);
  const connection = openSqlite(path);
  try {
    writeHolder(connection);
  } catch (error) {
    const holder = faultKind(error) === 'locked' ? readHolder(connection) : undefined;
    connection.close();
    if (holder === undefined) throw error;
    throw new StoreOpenError(
      `DATA_DIR: another server uses the embedded database in ${dataDir} (${holder}): stop that server, set DATA_DIR to another folder, or set DATABASE_URL to run several servers on one PostgreSQL database`,
      { cause: error },
    );
  }
  return {
    release: () => {
      // The driver may close the file later than requested.
      connection.prepare('rollback').run([]);
      connection.close();
    },
  };
}

/** Takes the lock and writes who holds it, which others can read meanwhile. */
function writeHolder(connection: SqliteConnection): void {
  const run = (sql: string, ...values: readonly unknown[]) => connection.prepare(sql).run(values);
  run('begin immediate');
  run('create table if not exists holder (pid integer, host text, since text)');
  run('delete from holder');
  run('insert into holder values (?, ?, ?)', process.pid, hostname(), new Date().toISOString());
  run('commit');
  run('begin immediate');
}

function readHolder(connection: SqliteConnection): string {
  try {
    const [row] = connection.prepare('select pid, host, since from holder').all([]);
    const { pid, host, since } = row as Record<string, unknown>;
    return `process ${pid} on ${host}, since ${since}`;
  } catch {
    return 'which one is not known';
  }
}
