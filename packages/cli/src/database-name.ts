import { join, resolve } from 'node:path';
import type { Config } from '@trawl/server';

/** Which database the settings name: the file, or host and name, without user, password and parameters. */
export function databaseName({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === undefined) return resolve(join(dataDir, 'trawl.db'));
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL ${host}${pathname}`;
}
