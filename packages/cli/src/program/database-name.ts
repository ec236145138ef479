import { join, resolve } from 'node:path';
import { parsedUrl } from '@trawl/contract';
import type { Config } from '@trawl/server';

/**
 * The database that the settings name: its file, or its host and name without user, password and
 * parameters.
 */
export function databaseName({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === undefined) return resolve(join(dataDir, 'trawl.db'));
  // the driver accepts a URL without a host, which the URL standard does not
  const url = parsedUrl(databaseUrl);
  return url === null ? 'PostgreSQL of DATABASE_URL' : `PostgreSQL ${url.host}${url.pathname}`;
}
