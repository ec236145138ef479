import { join, resolve } from 'node:path';
import { parsedUrl } from '@trawl/contract';
import type { Config } from '@trawl/server';

/** Which database the settings name: the file, or host and name, without user, password and parameters. */
export function databaseName({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === undefined) return resolve(join(dataDir, 'trawl.db'));
  // the driver takes a URL without a host, which is none by the standard of the web
  const url = parsedUrl(databaseUrl);
  return url === null ? 'PostgreSQL of DATABASE_URL' : `PostgreSQL ${url.host}${url.pathname}`;
}
