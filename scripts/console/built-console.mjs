/** The console of an earlier build, and whether another build could make it. Needs only Node. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { siteFiles } from '../docs-site/built-site.mjs';
import { consoleFingerprint, readStamp } from '../source-files.mjs';

/** The licences of the libraries that are part of the console, in its folder. */
export const LICENCES = 'LICENSES.md';

export const consoleSource = (root) => join(root, 'packages', 'console');
export const consoleFolder = (root) => join(root, 'dist', 'console');

/**
 * Whether the console is complete, and built from the current sources; also where there are no
 * sources.
 */
export function isConsoleCurrent(root) {
  if (!existsSync(join(consoleSource(root), 'index.html'))) return true;
  const folder = consoleFolder(root);
  if (readStamp(folder).fingerprint !== consoleFingerprint(root)) return false;
  return siteFiles(folder) !== undefined;
}

/** One of the console's libraries that is not installed, as after `npm ci --omit=dev`. */
export function missingLibrary(root) {
  const source = consoleSource(root);
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  return Object.keys(manifest.devDependencies ?? {}).find(
    (name) => !isInstalled(name, [root, source]),
  );
}

const isInstalled = (name, folders) =>
  folders.some((folder) => existsSync(join(folder, 'node_modules', name)));

/** Nothing to build, or nothing to build it with. */
export const isConsoleDone = (root) => isConsoleCurrent(root) || missingLibrary(root) !== undefined;
