import { link, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkOutput, writeOutput } from '../../src/terminal/output-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-output-'));
  await writeFile(join(folder, 'input'), 'queries');
});
afterEach(() => rm(folder, { recursive: true }));

const mayReplace = (text: string) => text.startsWith('report');
const outputTo = (path: string, others: readonly string[] = ['input', 'not-there-yet']) => ({
  flag: '--html',
  path: join(folder, path),
  others: others.map((name) => join(folder, name)),
  mayReplace,
});

test.each([
  ['itself', 'input', async () => {}],
  ['another spelling', 'inner/.././input', () => mkdir(join(folder, 'inner'))],
  ['a symbolic link', 'alias', () => symlink('input', join(folder, 'alias'))],
  ['a hard link', 'alias', () => link(join(folder, 'input'), join(folder, 'alias'))],
  ['a linked folder', 'alias/input', () => symlink('.', join(folder, 'alias'))],
])('refuses a file that the command needs, as %s', async (_case, path, prepare) => {
  await prepare();
  await expect(writeOutput(outputTo(path), 'report')).rejects.toThrow(
    /^--html: .* is the same file as .*, which this command needs; name another file$/,
  );
  expect(await readFile(join(folder, 'input'), 'utf8')).toBe('queries');
});

test.each([
  ['a folder', 'place', () => mkdir(join(folder, 'place')), 'is a folder; name a file'],
  [
    'a file of another kind',
    'place',
    () => writeFile(join(folder, 'place'), 'mine'),
    'exists and is something else; name another file, or remove it',
  ],
  [
    'a link to nothing',
    'place',
    () => symlink('not-there-yet', join(folder, 'place')),
    'is a link to a file that does not exist; name that file',
  ],
  [
    'a path without its folder',
    'absent/place',
    async () => {},
    'cannot be written; check the path and its permissions',
  ],
])('refuses %s', async (_case, path, prepare, message) => {
  await prepare();
  await expect(checkOutput(outputTo(path))).rejects.toThrow(message);
});

test.each([
  ['a new file', async () => {}],
  ['an empty file', () => writeFile(join(folder, 'place'), '')],
  ['an earlier one of its kind', () => writeFile(join(folder, 'place'), 'report of before')],
])('writes %s', async (_case, prepare) => {
  await prepare();
  await writeOutput(outputTo('place'), 'report');
  expect(await readFile(join(folder, 'place'), 'utf8')).toBe('report');
});

test('refuses what became a needed file since it was checked', async () => {
  const output = outputTo('place');
  await checkOutput(output);
  await symlink('input', join(folder, 'place'));
  await expect(writeOutput(output, 'report')).rejects.toThrow('is the same file as');
  expect(await readFile(join(folder, 'input'), 'utf8')).toBe('queries');
});
