import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the lines of code are not more than LIMIT in scripts/lines.mjs allows', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/lines.mjs'], {
    encoding: 'utf8',
  });
  expect(status, stdout).toBe(0);
});
