/** The source files of the build, and whether they changed. Needs only Node. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLibraryInstalled, WITHOUT_LIBRARY } from './bundled-library.mjs';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The order of the documentation's pages. Without it the site is not built. */
export const NAVIGATION = 'docs/navigation.json';

const BUNDLE_FILES = [
  'package.json',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/bundled-library.mjs',
  'scripts/write-file.mjs',
];
/**
 * Sources of the site in addition to `docs/`: other documents of the repository, and the scripts
 * that build it.
 */
const DOCS_FILES = [
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'package-lock.json',
  'scripts/write-file.mjs',
];

/** The paths of all files below a folder, in its subfolders too. */
export function* filesBelow(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

/**
 * Sources of the console: its pages, what they use of other packages, and the scripts that build
 * them.
 */
const CONSOLE_FILES = [
  'package-lock.json',
  'packages/console/index.html',
  'packages/console/package.json',
  'packages/console/vite.config.ts',
  'scripts/write-file.mjs',
  'scripts/docs-site/store.mjs',
];
const CONSOLE_FOLDERS = [
  'packages/client/src',
  'packages/console/src',
  'packages/contract/src/values',
  'packages/contract/src/vocabulary',
  'scripts/console',
];

function* docsFiles(root) {
  for (const file of DOCS_FILES) yield join(root, file);
  for (const path of filesBelow(join(root, 'docs'))) if (/\.(md|json)$/.test(path)) yield path;
  yield* filesBelow(join(root, 'scripts', 'docs-site'));
}

function* bundleFiles(root) {
  for (const file of BUNDLE_FILES) yield join(root, file);
  const packages = join(root, 'packages');
  if (!existsSync(packages)) return;
  for (const name of readdirSync(packages)) {
    if (name === 'console') continue;
    yield join(packages, name, 'package.json');
    yield* filesBelow(join(packages, name, 'src'));
  }
}

function* consoleFiles(root) {
  for (const file of CONSOLE_FILES) yield join(root, file);
  for (const folder of CONSOLE_FOLDERS) yield* filesBelow(join(root, folder));
}

/**
 * Changes with every source that is edited, added or removed: sizes and times, so a few
 * milliseconds. The lock file counts by its content, because npm writes it again also where nothing
 * changes, as `npm prune` does.
 */
export const bundleFingerprint = (root) => fingerprint(bundleFiles(root));

/** The same for the sources of the documentation site. */
export const docsFingerprint = (root) => fingerprint(docsFiles(root));

/** The same for the sources of the console. */
export const consoleFingerprint = (root) => fingerprint(consoleFiles(root));

function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of [...new Set(paths)].sort()) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat) hash.update(`${path}\0${stat.size}\0${markOf(path, stat)}\n`);
  }
  return hash.digest('hex');
}

const markOf = (path, { mtimeMs }) =>
  basename(path) === 'package-lock.json'
    ? createHash('sha256').update(readFileSync(path)).digest('hex')
    : mtimeMs;

/** The stamp of a build in `folder`: the fingerprint of its sources, and its other notes. */
export function readStamp(folder) {
  const path = join(folder, '.stamp');
  const [fingerprint, ...notes] = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return { fingerprint, notes };
}

/**
 * Whether `dist` is built from the current sources, apart from the documentation and the console,
 * and with the library that was missing when it was built.
 */
export function isBundleCurrent(root) {
  const { fingerprint, notes } = readStamp(join(root, 'dist'));
  if (fingerprint !== bundleFingerprint(root)) return false;
  return !notes.includes(WITHOUT_LIBRARY) || !isLibraryInstalled(root);
}
