import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConsoleServer, startConsoleServer } from '@trawl/test-support/console-server';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { expect, it, onTestFinished } from 'vitest';
import { backUp } from '../src/backup/backup.ts';
import { moveDatabase } from '../src/move/move-database.ts';
import { exportedLines } from './exports.ts';

const CANARY = 'canary-of-a-providers-key-4Zt8';
const withoutTavily = { TAVILY_API_KEY: undefined };

async function keySentBy(server: ConsoleServer): Promise<string | undefined> {
  const { json } = await server.search({
    user_input: { query: 'tidal power' },
    search: { providers: { include: ['tavily'] } },
  });
  return json.status === 'succeeded' ? server.sandbox.calls.at(-1)?.key : undefined;
}

describeOnDatabases(
  'a key of a provider that was set in the console',
  (postgres) => {
    it('is in no backup, export or move, and opens after a move under its secret alone', async () => {
      const before = await startConsoleServer({ env: withoutTavily });
      onTestFinished(() => before.stop());
      const operator = await before.operator();
      const body = { provider: 'tavily', key: CANARY };
      const made = await operator.call('POST', '/console/api/provider-keys', { body });
      expect(made.status).toBe(200);
      expect(await keySentBy(before)).toBe(CANARY);

      const { location } = before.database;
      const file = join(location.dataDir, 'copy.db');
      await backUp(location, file);
      const backup = await readFile(file, 'latin1');
      expect(backup).toContain(made.json.id);
      expect(backup).not.toContain(CANARY);
      expect(JSON.stringify(await exportedLines(before, 'main'))).not.toContain(CANARY);

      await before.server.stop();
      const target = await postgres.create();
      onTestFinished(() => target.drop());
      const to = target.location.databaseUrl ?? '';
      const reports = await moveDatabase({ dataDir: location.dataDir, to });
      const moved = reports.find(({ table }) => table === 'provider_keys');
      expect(moved).toMatchObject({ isEqual: true, target: { rows: 1 } });

      const database = {
        ...postgres,
        create: async () => ({ location: target.location, drop: async () => {} }),
      };
      const secret = join(location.dataDir, 'secrets-key');
      const after = await startConsoleServer({
        database,
        env: { ...withoutTavily, SECRETS_KEY_FILE: secret },
      });
      onTestFinished(() => after.stop());
      expect(await keySentBy(after)).toBe(CANARY);
      const stranger = await startConsoleServer({ database, env: withoutTavily });
      onTestFinished(() => stranger.stop());
      expect(await keySentBy(stranger)).toBeUndefined();
      expect(stranger.logged()).toContain('sealed under another SECRETS_KEY');
    });
  },
  'PostgreSQL',
);
