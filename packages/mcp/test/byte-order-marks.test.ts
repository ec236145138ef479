import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ROOT } from '@trawl/test-support/mcp-hosts';
import { expect, test } from 'vitest';
import { withoutMarks } from '../src/server/stdio.ts';

const MARK = '\ufeff';
const SENT = `${MARK}{"a":"ü${MARK}\u2028"}\n${MARK}{"b":1}\r\n{"c":2}\n`;
const READ = `{"a":"ü${MARK}\u2028"}\n{"b":1}\r\n{"c":2}\n`;

test.each([1, 2, 3, 7, 1_000])(
  'marks at the start of a line are left out of pieces of %i bytes, others stay',
  async (size) => {
    const bytes = Buffer.from(SENT);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    expect(await text(withoutMarks(Readable.from(pieces)))).toBe(READ);
  },
);

test('trawl mcp answers a host that writes a mark before its lines', async () => {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['scripts/run.mjs', 'mcp'], {
    cwd: ROOT,
    env: { PATH, SERVICE_BASE_URL: 'http://127.0.0.1:9' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  for (const id of [1, 2]) {
    child.stdin.write(`${MARK}{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{}}\n`);
  }
  const ids: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    ids.push(JSON.parse(line).id);
    if (ids.length === 2) break;
  }
  child.stdin.end();
  expect(ids.sort()).toEqual([1, 2]);
  expect(await ended).toEqual([0, null]);
});
