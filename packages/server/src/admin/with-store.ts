import { openStore, type Store } from '@trawl/store';
import type { Config } from '../config/config.ts';

/** Runs `use` on the configured database, next to a server that may be running. */
export async function withStore<Value>(
  { databaseUrl, dataDir }: Config,
  workerUrl: URL,
  use: (store: Store) => Promise<Value>,
): Promise<Value> {
  const store = await openStore({ databaseUrl, dataDir, workerUrl });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}
