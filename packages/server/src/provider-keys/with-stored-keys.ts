import { readSealedKeys } from '@trawl/store';
import type { Config } from '../config/config.ts';
import { keysInUse, openRows } from './stored-keys.ts';

/** Settings with the keys of providers that a server on this database would use. */
export interface ConfigWithKeys {
  readonly config: Config;
  /** Providers with a stored key that SECRETS_KEY does not open. */
  readonly closed: readonly string[];
}

/** For commands on the server's machine. The environment's keys win over stored ones. */
export async function withStoredKeys(config: Config): Promise<ConfigWithKeys> {
  const rows = await readSealedKeys(config);
  if (rows.length === 0) return { config, closed: [] };
  const opened = openRows(config, rows);
  const providers = Object.entries(config.providers).map(([slug, own]) => {
    const stored = opened.flatMap(({ row, key }) => (row.provider === slug && key ? [key] : []));
    return [slug, { ...own, credentials: keysInUse(own.credentials, stored) }] as const;
  });
  const closed = opened.flatMap(({ row, key }) => (key === undefined ? [row.provider] : []));
  return {
    config: { ...config, providers: Object.fromEntries(providers) },
    closed: [...new Set(closed)],
  };
}
