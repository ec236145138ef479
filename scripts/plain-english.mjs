/**
 * Finds words that CONTRIBUTING replaces by plainer ones, in comments and texts of the code and in
 * the docs: `node scripts/plain-english.mjs`. The list is the left column of its table. A word with
 * a remark in parentheses depends on its sense, and is left to the reader, as is one with `…`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './source-files.mjs';

const TABLE = /\| Instead of \| Write \|\n\| -+ \| -+ \|\n((?:\|.*\n)+)/;
/** Generated, or the words of others: real pages, vendors, recorded texts. */
const NOT_OURS =
  /^CONTRIBUTING\.md$|(?:^|\/)(?:tests?|sandbox|examples|training)\/|\/findings\/phrases\.ts$|\/contract\/types\.ts$|\/trawl\/types\.py$/;

const FENCED = /^```[\s\S]*?^```$/gm;

/** @returns the words that are always replaced */
export function wordsOf(contributing) {
  const rows = TABLE.exec(contributing)?.[1];
  if (!rows) throw new Error('CONTRIBUTING.md has no table of words');
  return rows
    .trimEnd()
    .split('\n')
    .map((row) => row.split('|')[1].replaceAll(/ \(`[^)]*\)/g, ''))
    .flatMap((words) => words.split(/[,;](?![^(]*\))/))
    .map((word) => word.trim())
    .filter((word) => word !== '' && !/[(…`]/.test(word));
}

/** @returns a line for each word of the list that a text has */
export function findWords(text, path, words) {
  const forms = words.map((word) => `[${word[0].toUpperCase()}${word[0]}]${word.slice(1)}`);
  const pattern = new RegExp(`(?<![\\w-])(?:${forms.join('|')})(?![\\w-])`);
  const lines = text.replaceAll(FENCED, (block) => block.replaceAll(/[^\n]/g, '')).split('\n');
  const isCode = /\.[cm]?[jt]sx?$|\.py$|\.css$/.test(path);
  return lines.flatMap((line, at) => {
    const prose = isCode ? proseOf(line) : line.replaceAll(/`[^`]*`/g, '');
    const found = pattern.exec(prose)?.[0];
    return found === undefined ? [] : [`${path}:${at + 1}: ${found}`];
  });
}

/** The comment of a line of code, or its texts that have a space. */
function proseOf(line) {
  const comment = /^\s*(?:\/?\*|#)(.*)|(?:^|\s)\/\/ (.*)/.exec(line);
  if (comment) return (comment[1] ?? comment[2] ?? '').replaceAll(/`[^`]*`/g, '');
  return [...line.matchAll(/'([^']* [^']*)'|"([^"]* [^"]*)"|`([^`]* [^`]*)`/g)]
    .map(([, single, double, template]) => single ?? double ?? template)
    .join(' ');
}

/** The same of all files of the repository. */
export function wordsInUse() {
  const words = wordsOf(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'));
  return execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((path) => /\.(?:[cm]?[jt]sx?|py|css|md)$/.test(path) && !NOT_OURS.test(path))
    .filter((path) => existsSync(join(ROOT, path)))
    .flatMap((path) => findWords(readFileSync(join(ROOT, path), 'utf8'), path, words));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = wordsInUse();
  for (const line of found) console.error(line);
  if (found.length > 0) {
    console.error(`${found.length} words that CONTRIBUTING.md replaces: see "Plain English" there`);
    process.exitCode = 1;
  }
}
