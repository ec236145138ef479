import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runProgram } from '@trawl/test-support/program';
import { expect, it } from 'vitest';

it('the flags of the garbage collector are known to this engine, which goes on working', async () => {
  const script = fileURLToPath(new URL('./support/collect-often.ts', import.meta.url));
  // the engine reports a flag that it does not know on standard error, and goes on
  const settings = { NODE_OPTIONS: `--import ${import.meta.resolve('tsx')}` };
  expect(await runProgram({ script, args: [], settings, folder: tmpdir() })).toEqual({
    code: 0,
    stdout: '50000',
    stderr: '',
  });
});
