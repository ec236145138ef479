import type { Config } from './config.ts';
import { openStore } from './storage/open-store.ts';
import type { Store } from './storage/store.ts';

/** Runs `use` on the configured database, beside a server that may be running. */
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
