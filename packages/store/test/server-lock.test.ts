import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { recorderWorkerUrl } from '@trawl/test-support/threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../src/opening/open-store.ts';
import { runProgram } from './run-program.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'trawl-lock-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const open = async (isServer: boolean, databaseUrl?: string) =>
  openStore({ databaseUrl, dataDir, isServer, workerUrl: recorderWorkerUrl() });

it('refuses a second server on an embedded database, names the first one, and lets commands in', async () => {
  const first = await open(true);
  const second = open(true);
  await expect(second).rejects.toThrow(
    new RegExp(
      `^DATA_DIR: another server .+process ${process.pid} on ${hostname()}, since 20.+DATABASE_URL`,
    ),
  );
  const command = await open(false);
  expect(await command.keys.listProjects()).toEqual([]);
  await command.close();
  await first.close();
  await (await open(true)).close();
});

it('is free again after kill -9', async () => {
  const workerUrl = recorderWorkerUrl().href;
  const holder = await runProgram('hold-server-lock', {
    store: { databaseUrl: undefined, dataDir, workerUrl },
    projectId: 'none',
  });
  await holder.printed(1);
  await expect(open(true)).rejects.toThrow(`process ${holder.child.pid} on`);
  holder.child.kill('SIGKILL');
  await holder.ended;
  await (await open(true)).close();
});

it('names path, rights and fix when the embedded database cannot be opened', async () => {
  // a folder in place of the file: even root cannot open it
  await mkdir(join(dataDir, 'trawl.db'));
  await chmod(join(dataDir, 'trawl.db'), 0o755);
  const path = join(dataDir, 'trawl.db');
  await expect(open(true)).rejects.toThrow(
    new RegExp(
      `^DATA_DIR: the embedded database ${path} cannot be opened .+: ${path} belongs to user \\d+ with the rights 0755.+DATA_DIR to another folder$`,
    ),
  );
});

it.runIf(process.platform === 'linux')(
  'a folder in which none can be made is said, and does not hang',
  async () => {
    dataDir = '/proc/nope/data';
    await expect(open(true)).rejects.toThrow(/^DATA_DIR: .+ENOENT.+: \/proc belongs to/);
  },
);

it('names setting, host and fix when PostgreSQL cannot be reached, and no password', async () => {
  const opening = open(true, 'postgres://user:secret-word@127.0.0.1:1/trawl');
  const error: Error = await opening.then(
    () => expect.unreachable(),
    (reason) => reason,
  );
  expect(error.message).toBe(
    'DATABASE_URL: the PostgreSQL server at 127.0.0.1:1 cannot be reached (ECONNREFUSED): start it, open the network to it, or correct DATABASE_URL',
  );
  expect(error.message).not.toContain('secret-word');
});
