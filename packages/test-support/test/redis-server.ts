import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A `redis-server` of this test, which it may freeze and kill. Nothing is kept on disk. */
export interface RedisServer {
  readonly url: string;
  /** What `redis-cli` prints for this command. */
  cli(...command: readonly string[]): Promise<string>;
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  /** Starts it, again on the same port and empty. */
  start(): Promise<void>;
}

/** Why these tests cannot run; undefined = they can. */
export const redisAbsent: string | undefined = whyAbsent();

/** A server that is not started yet, unless `start` is called. */
export async function redisServer(...settings: readonly string[]): Promise<RedisServer> {
  const port = String(await freePort());
  const options = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  let child: ChildProcess | undefined;
  return {
    url: `redis://127.0.0.1:${port}`,
    cli: async (...command) => (await run('redis-cli', ['-p', port, ...command])).stdout.trim(),
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    async start() {
      child = spawn('redis-server', [...options, ...settings], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
      for await (const line of lines) if (line.includes('Ready to accept connections')) return;
      throw new Error('redis-server did not start');
    },
  };
}

export async function startRedis(...settings: readonly string[]): Promise<RedisServer> {
  const server = await redisServer(...settings);
  await server.start();
  return server;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function whyAbsent(): string | undefined {
  if (spawnSync('redis-server', ['--version']).status === 0) return undefined;
  if (process.env.TEST_REQUIRE === 'all') throw new Error('redis-server is not installed');
  return 'redis-server is not installed';
}
