import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { InteractionRecord } from '@trawl/router';
import type { Store } from '@trawl/store';
import { openStore } from '@trawl/store';
import {
  describeOnDatabases,
  onlyOn,
  runOnPostgres,
  type TestStore,
} from '@trawl/test-support/databases';
import { newProject } from '@trawl/test-support/records';
import { wholeInteraction } from '@trawl/test-support/whole-interaction';
import { afterEach, beforeEach, expect } from 'vitest';
import { backUp } from '../src/backup/backup.ts';
import { checkWholeDatabase } from '../src/check/check-database.ts';

const run = promisify(execFile);

describeOnDatabases('backup and restore', (database) => {
  let opened: TestStore;
  let folder: string;
  let projectId: string;

  beforeEach(async () => {
    opened = await database.open();
    projectId = await newProject(opened.store);
    folder = await mkdtemp(join(tmpdir(), 'trawl-backup-'));
  });
  afterEach(async () => {
    await opened.cleanup();
    await rm(folder, { recursive: true, force: true });
  });

  async function record(): Promise<InteractionRecord> {
    const interaction = wholeInteraction(projectId, randomUUID());
    await opened.store.recorder.record(interaction);
    return interaction;
  }

  const read = (store: Store, { sessionId, id }: InteractionRecord) =>
    store.reader.interaction(projectId, sessionId, id);

  onlyOn(database, 'SQLite')(
    'a copy made while a server records has everything that was acknowledged before',
    async () => {
      const before = await Promise.all(Array.from({ length: 40 }, record));
      let isDone = false;
      const load = Promise.all(
        Array.from({ length: 4 }, async () => {
          while (!isDone) await record();
        }),
      );
      const file = join(folder, 'copy.db');
      const backup = await backUp(opened.location, file);
      isDone = true;
      await load;
      expect(backup).toMatchObject({ file, bytes: (await stat(file)).size });
      expect(backup.interactions).toBeGreaterThanOrEqual(before.length);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await readdir(folder)).toEqual(['copy.db']);

      const dataDir = await mkdtemp(join(folder, 'restored-'));
      await copyFile(file, join(dataDir, 'trawl.db'));
      const location = { databaseUrl: undefined, dataDir };
      const restored = await openStore({ ...location, workerUrl: opened.workerUrl });
      for (const interaction of before) {
        expect(await read(restored, interaction)).toEqual(await read(opened.store, interaction));
      }
      await restored.recorder.record(wholeInteraction(projectId, randomUUID()));
      await restored.close();
      expect((await checkWholeDatabase(location)).findings).toEqual([]);
    },
  );

  onlyOn(database, 'PostgreSQL')(
    'pg_dump and pg_restore bring everything back',
    async ({ skip }) => {
      const found = await run('pg_dump', ['--version']).catch(() => undefined);
      skip(!found, 'needs pg_dump, of Debian package postgresql-client');
      const interaction = await record();
      const url = new URL(opened.location.databaseUrl ?? '');
      // libpq does not read + as a space
      const plain = () => url.href.replaceAll('+', '%20');
      const dump = join(folder, 'trawl.dump');
      const schema = url.searchParams.get('application_name') ?? '';
      await run('pg_dump', [`--schema=${schema}`, '--format=custom', `--file=${dump}`, plain()]);
      const name = `trawl_restored_${randomUUID().replaceAll('-', '')}`;
      await runOnPostgres(`create database ${name}`);
      try {
        url.pathname = `/${name}`;
        await run('pg_restore', ['--no-owner', `--dbname=${plain()}`, dump]);
        const location = { databaseUrl: url.href, dataDir: folder };
        const restored = await openStore({ ...location, workerUrl: opened.workerUrl });
        expect(await read(restored, interaction)).toEqual(await read(opened.store, interaction));
        await restored.close();
        expect((await checkWholeDatabase(location)).findings).toEqual([]);
      } finally {
        await runOnPostgres(`drop database ${name} with (force)`);
      }
    },
  );
});
