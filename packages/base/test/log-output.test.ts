import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { createLogOutput } from '../src/text/log-output.ts';

const LINES = Array.from({ length: 2_000 }, (_, index) => `${String(index).padEnd(999, '.')}\n`);
/** A million characters. */
const KEPT = LINES.slice(0, 1_000).join('');

/** A socket, and what its other end has read. */
async function socketWithReader() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [reader] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    socket.destroy();
    reader.destroy();
    server.close();
  });
  let text = '';
  reader.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  return { stream: socket, read: async () => text };
}

async function file() {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-log-'));
  const path = join(folder, 'log');
  const handle = await open(path, 'a');
  onTestFinished(async () => {
    await handle.close();
    await rm(folder, { recursive: true });
  });
  const stream = Object.assign(new PassThrough(), { fd: handle.fd });
  return { stream, read: () => readFile(path, 'utf8') };
}

it.each([
  ['a socket', socketWithReader],
  ['a file', file],
])('keeps at most 1 MB until %s has taken it, and then goes on', async (_name, make) => {
  const { stream, read } = await make();
  const reasons: string[] = [];
  const output = createLogOutput(stream, (reason) => reasons.push(reason));
  for (const line of LINES) output.write(line);
  expect([output.linesLost(), reasons]).toEqual([1_000, ['is read too slowly']]);
  await expect.poll(async () => (await read()) === KEPT).toBe(true);
  output.write('later\n');
  await expect.poll(async () => (await read()) === `${KEPT}later\n`).toBe(true);
  expect(output.linesLost()).toBe(1_000);
});
