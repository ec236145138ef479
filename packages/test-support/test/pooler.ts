import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import type { FreshDatabase } from './databases.ts';
import { freePort } from './loopback.ts';

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));

/** Why this machine cannot run a pooler; undefined when it can. */
export const poolerAbsent = PROGRAM === undefined ? 'needs pgbouncer, see .ci/services' : undefined;

/**
 * PgBouncer in transaction mode in front of a database of the tests, with at most `connections` to
 * it.
 */
export async function poolDatabase(
  direct: FreshDatabase,
  connections: number,
): Promise<FreshDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-pooler-'));
  // it does not run as root, and reads its file as the user that it becomes
  await chmod(folder, 0o755);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const target = new URL(direct.location.databaseUrl ?? '');
  await writeFile(file, settings(target, port, connections));
  const child = spawn(PROGRAM ?? '', [file], { stdio: 'ignore' });
  const databaseUrl = `postgres://anyone@127.0.0.1:${port}/pooled`;
  await expect.poll(() => answers(databaseUrl), { timeout: 10_000 }).toBe(true);
  return {
    location: { ...direct.location, databaseUrl },
    drop: async () => {
      await ended(child);
      await rm(folder, { recursive: true });
      await direct.drop();
    },
  };
}

/**
 * The schema of the tests is set on each connection, since PgBouncer refuses `options` of a client.
 */
function settings(target: URL, port: number, connections: number): string {
  const schema = target.searchParams.get('options')?.match(/search_path=(\w+)/)?.[1] ?? '';
  const { hostname, username, password, pathname } = target;
  return `[databases]
pooled = host=${hostname} port=${target.port || 5432} dbname=${pathname.slice(1)} user=${decodeURIComponent(username)} ${password && `password=${decodeURIComponent(password)}`} connect_query='set search_path to ${schema}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 500
${process.getuid?.() === 0 ? 'user = nobody' : ''}
`;
}

async function answers(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
