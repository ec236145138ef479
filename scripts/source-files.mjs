/** The source files of the build, and whether they changed. Needs only Node. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
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

/**
 * The paths of all files below a folder, in its subfolders too, by name. A plain list, as each
 * start of a clone waits for it: a generator takes three times as long.
 */
export const filesBelow = (folder) => (existsSync(folder) ? addFiles(folder, []) : []);

function addFiles(folder, paths) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) addFiles(path, paths);
    else paths.push(path);
  }
  return paths;
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

const docsFiles = (root) => [
  ...DOCS_FILES.map((file) => join(root, file)),
  ...filesBelow(join(root, 'docs')).filter((path) => /\.(md|json)$/.test(path)),
  ...filesBelow(join(root, 'scripts', 'docs-site')),
];

const bundleFiles = (root) => {
  const packages = join(root, 'packages');
  const names = existsSync(packages) ? readdirSync(packages) : [];
  return [
    ...BUNDLE_FILES.map((file) => join(root, file)),
    ...names
      .filter((name) => name !== 'console')
      .flatMap((name) => [
        join(packages, name, 'package.json'),
        ...filesBelow(join(packages, name, 'src')),
      ]),
  ];
};

const consoleFiles = (root) => [
  ...CONSOLE_FILES.map((file) => join(root, file)),
  ...CONSOLE_FOLDERS.flatMap((folder) => filesBelow(join(root, folder))),
];

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
  const lines = [];
  for (const path of paths) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) continue;
    const mark = path.endsWith('package-lock.json')
      ? lockMark(path, stat)
      : Math.trunc(stat.mtimeMs);
    lines.push(`${path}\0${stat.size}\0${mark}\n`);
  }
  return createHash('sha256').update(lines.join('')).digest('hex');
}

const lockMarks = new Map();

/** Read once for all fingerprints. */
function lockMark(path, { size, mtimeMs }) {
  const name = `${path} ${size} ${mtimeMs}`;
  const mark = lockMarks.get(name) ?? createHash('sha256').update(readFileSync(path)).digest('hex');
  lockMarks.set(name, mark);
  return mark;
}

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
