/** Which files the build is made from, and whether they changed. Needs nothing but Node. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const SINGLE_FILES = ['package.json', 'package-lock.json', 'scripts/build.mjs'];
/** Papers of the repository that the documentation shows beside the pages of `docs/`. */
const PAPERS = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

function* filesBelow(folder) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}

function* docsFiles(root) {
  for (const file of [...PAPERS, 'package-lock.json']) yield join(root, file);
  yield* filesBelow(join(root, 'docs'));
  yield* filesBelow(join(root, 'scripts', 'docs-site'));
}

function* sourceFiles(root) {
  for (const file of SINGLE_FILES) yield join(root, file);
  yield* docsFiles(root);
  for (const script of scriptSources(root)) yield join(root, script);
  const packages = join(root, 'packages');
  if (!existsSync(packages)) return;
  for (const name of readdirSync(packages)) {
    yield join(packages, name, 'package.json');
    yield* filesBelow(join(packages, name, 'src'));
  }
}

/** TypeScript scripts (`npm run bench`), as paths from the root. */
export function scriptSources(root) {
  const names = existsSync(join(root, 'scripts')) ? readdirSync(join(root, 'scripts')) : [];
  return names.filter((name) => /(?<!\.d)\.ts$/.test(name)).map((name) => `scripts/${name}`);
}

/** Changes with every source that is edited, added or removed: sizes and times, so a few milliseconds. */
export const sourceFingerprint = (root) => fingerprint(sourceFiles(root));

/** The same of what the documentation site is made from. */
export const docsFingerprint = (root) => fingerprint(docsFiles(root));

function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const path of [...new Set(paths)].sort()) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat) hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** The fingerprint of the sources that `dist` was built from; undefined when there is no build. */
export function builtFingerprint(root) {
  const stamp = join(root, 'dist', '.stamp');
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
}
