/** The documentation site of an earlier build, and the files of built pages. Needs only Node. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { docsFingerprint, NAVIGATION, readStamp } from '../source-files.mjs';

/** Name of the table of the site's addresses and files. */
export const TABLE = 'site.json';

/** Folder of the files. */
export const FILES = 'files';

/** Suffixes of the compressed copies next to every file. */
export const TWINS = ['.gz', '.br'];

/**
 * The names of all files of built pages, compressed copies included; undefined when they are
 * missing or damaged.
 */
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
    // the table is missing or invalid: a build makes the site
    return [];
  }
}

const folderOf = (root) => join(root, 'dist', 'docs');

/** Whether the site is complete, and built from the current pages. */
export function isSiteCurrent(root) {
  if (!existsSync(join(root, NAVIGATION))) return true;
  const { fingerprint, notes } = readStamp(folderOf(root));
  if (fingerprint !== docsFingerprint(root) || notes.length > 0) return false;
  return siteFiles(folderOf(root)) !== undefined;
}

/**
 * Whether the site was skipped for a missing package that is still missing, so a build would skip
 * it again.
 */
export function lacksPackage(root) {
  const [name] = readStamp(folderOf(root)).notes;
  return name !== undefined && !existsSync(join(root, 'node_modules', name));
}
