import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { PrimaryMessage, WorkerMessage } from '../src/workers/messages.ts';

it('a worker takes the connection that comes with the answer to listen, and the stop behind it', async () => {
  const accepting = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(accepting, 'listening');
  const client = connect((accepting.address() as AddressInfo).port, '127.0.0.1');
  const [accepted]: Socket[] = await once(accepting, 'connection');
  client.write('GET / HTTP/1.1\r\nhost: worker\r\nconnection: close\r\n\r\n');

  const script = fileURLToPath(new URL('./support/worker-that-is-late.ts', import.meta.url));
  const worker = fork(script, {
    execArgv: ['--import', import.meta.resolve('tsx')],
    stdio: ['pipe', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(worker, 'exit');
  const said: WorkerMessage['type'][] = [];
  worker.on('message', ({ type }: WorkerMessage) => {
    said.push(type);
    if (type !== 'listen') return;
    const say = (message: PrimaryMessage) => worker.send(message);
    say({ type: 'listening', port: 1 });
    const connection: PrimaryMessage = { type: 'connection', connection: 7 };
    worker.send(connection, accepted, {}, () => worker.stdin?.end());
    say({ type: 'stop' });
  });
  try {
    expect(await text(client)).toContain('answered');
    expect(await ended).toEqual([0, null]);
    expect(said.slice(0, 2)).toEqual(['listen', 'taken']);
  } finally {
    worker.kill('SIGKILL');
    accepting.close();
  }
});
