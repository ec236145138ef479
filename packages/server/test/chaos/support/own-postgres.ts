import { execFile } from 'node:child_process';
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childrenOf } from '@trawl/test-support/processes';

const run = promisify(execFile);

/** A PostgreSQL server for one test, which may stop and freeze it. */
export interface OwnPostgres {
  readonly url: string;
  /** Freezes all its processes, as on a machine that hangs. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it without a checkpoint, so the next start recovers from its log. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

const PROGRAMS = '/usr/lib/postgresql';

/** The folder of PostgreSQL's programs; undefined = this machine lacks usable ones. */
export async function postgresPrograms(): Promise<string | undefined> {
  const versions = await readdir(PROGRAMS).catch(() => []);
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined || process.platform !== 'linux') return undefined;
  if (process.getuid?.() === 0 && (await postgresUser()) === undefined) return undefined;
  return join(PROGRAMS, newest, 'bin');
}

export const NEEDS_POSTGRES_PROGRAMS = 'needs the programs of PostgreSQL in /usr/lib/postgresql';

export async function startOwnPostgres(programs: string): Promise<OwnPostgres> {
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? await postgresUser() : undefined;
  const folder = await mkdtemp(join(tmpdir(), 'trawl-postgres-'));
  if (user) await chown(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const port = await freePort();
  const program = (name: string, args: readonly string[]) =>
    run(join(programs, name), [...args], { ...user, cwd: folder });
  await program('initdb', ['-D', data, '-U', 'trawl', '-A', 'trust', '--no-sync']);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
  const start = async () => {
    await program('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start']);
  };
  const end = async (mode: 'fast' | 'immediate') => {
    await program('pg_ctl', ['-D', data, '-w', '-m', mode, 'stop']);
  };
  await start();
  return {
    url: `postgres://trawl@127.0.0.1:${port}/postgres`,
    freeze: () => signalAll(data, 'SIGSTOP'),
    thaw: () => signalAll(data, 'SIGCONT'),
    start,
    stop: () => end('fast'),
    crash: () => end('immediate'),
    remove: async () => {
      await signalAll(data, 'SIGCONT').catch(() => {});
      await end('immediate').catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The first process of the server, and those that it started. */
async function signalAll(data: string, signal: NodeJS.Signals): Promise<void> {
  const [first = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  // the first process first, so it starts no more of them
  if (signal === 'SIGSTOP') process.kill(Number(first), signal);
  for (const child of childrenOf(Number(first))) process.kill(child, signal);
  if (signal !== 'SIGSTOP') process.kill(Number(first), signal);
}

async function postgresUser(): Promise<{ uid: number; gid: number } | undefined> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const found = users.find(([name]) => name === 'postgres');
  return found && { uid: Number(found[2]), gid: Number(found[3]) };
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
