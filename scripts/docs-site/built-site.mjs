/** The documentation site as an earlier build left it. Needs nothing but Node. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { docsFingerprint, NAVIGATION, readStamp } from '../source-files.mjs';

/** What the table of the site's addresses and their files is called. */
export const TABLE = 'site.json';

/** Where the files stand. */
export const FILES = 'files';

/** Beside every file stand its compressed twins. */
export const TWINS = ['.gz', '.br'];

/** The names of all files of the site, twins included; undefined where there is no site, or a damaged one. */
export function siteFiles(folder) {
  const files = join(folder, FILES);
  if (!existsSync(files)) return undefined;
  const there = new Set(readdirSync(files));
  const names = namedFiles(folder).flatMap((file) => ['', ...TWINS].map((ending) => file + ending));
  const isWhole = names.length > 0 && names.every((name) => there.has(name));
  return isWhole ? new Set(names) : undefined;
}

function namedFiles(folder) {
  try {
    const { routes, notFound } = JSON.parse(readFileSync(join(folder, TABLE), 'utf8'));
    return [...Object.values(routes), notFound].map(({ file }) => file);
  } catch {
    // not there or no table: there is no site to speak of, and a build makes one
    return [];
  }
}

const folderOf = (root) => join(root, 'dist', 'docs');

/** Whether the site is whole, and what the pages make. */
export function isSiteCurrent(root) {
  if (!existsSync(join(root, NAVIGATION))) return true;
  const { fingerprint, notes } = readStamp(folderOf(root));
  if (fingerprint !== docsFingerprint(root) || notes.length > 0) return false;
  return siteFiles(folderOf(root)) !== undefined;
}

/** Whether the site was left out for want of a package that is still not there, so that a build would do it again. */
export function lacksPackage(root) {
  const [name] = readStamp(folderOf(root)).notes;
  return name !== undefined && !existsSync(join(root, 'node_modules', name));
}
