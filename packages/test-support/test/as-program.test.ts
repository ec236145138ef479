import { homedir, tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { asProgram } from './as-program.ts';

test('a program finds the given environment in the process, which has its own again then', async () => {
  const before = { ...process.env };
  const print = async () =>
    void process.stdout.write(JSON.stringify([homedir(), Object.keys(process.env).sort()]));
  const settings = { HOME: '/home/ada', SERVICE_API_KEY: 'tk_x', LANG: undefined };
  const { stdout } = await asProgram(print, { folder: tmpdir(), settings });
  expect(JSON.parse(stdout)).toEqual(['/home/ada', ['HOME', 'PATH', 'SERVICE_API_KEY']]);
  expect({ ...process.env }).toEqual(before);
});
