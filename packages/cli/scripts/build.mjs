/**
 * Builds the package that is published: the bundle of the repository with the third-party packages
 * that it imports.
 */
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as bundle } from '../../../scripts/build.mjs';
import { LICENCES } from '../../../scripts/console/built-console.mjs';
import { FILES, siteFiles, TABLE } from '../../../scripts/docs-site/built-site.mjs';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(PACKAGE, '..', '..');

/** The program of a package of its own, which the command runs where it is installed. */
const NOT_PACKED = 'dist/evaluate.js';

const BIN = `#!/usr/bin/env node
require('./machine.cjs');
import('../dist/trawl.js');
`;

/**
 * @param {{ outdir?: string, isRelease?: boolean }} options `outdir` is `dist` next to the sources
 * when absent; `isRelease` is set for the registry: only a released package looks for newer
 * versions there
 */
export async function build({ outdir = join(PACKAGE, 'dist'), isRelease = false } = {}) {
  const built = await bundle();
  if (built.isDocsLeftOut) throw new Error(`the documentation is missing: ${built.line}`);
  if (built.isConsoleLeftOut) throw new Error(`the console is missing: ${built.line}`);
  const outputs = neededOutputs(built.metafile.outputs);
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(join(outdir, 'bin'), { recursive: true });
  copyAll(outdir, [
    ...Object.keys(outputs).flatMap(withMap),
    ...built.assets,
    ...pageFiles('dist/docs'),
    ...pageFiles('dist/console'),
    `dist/console/${LICENCES}`,
  ]);
  writeFileSync(join(outdir, 'bin', 'trawl.cjs'), BIN, { mode: 0o755 });
  cpSync(join(ROOT, 'scripts', 'machine.cjs'), join(outdir, 'bin', 'machine.cjs'));
  cpSync(join(ROOT, 'LICENSE'), join(outdir, 'LICENSE'));
  cpSync(join(ROOT, 'skills'), join(outdir, 'skills'), { recursive: true });
  cpSync(join(PACKAGE, 'README.md'), join(outdir, 'README.md'));
  writeFileSync(
    join(outdir, 'package.json'),
    `${JSON.stringify(manifest(dependenciesOf(outputs), isRelease), null, 2)}\n`,
  );
  return outdir;
}

/** The entries, and what they import: chunks of earlier builds stay in `dist` for a while. */
function neededOutputs(all) {
  const open = Object.keys(all).filter(
    (path) => dirname(path) === 'dist' && all[path].entryPoint !== undefined && path !== NOT_PACKED,
  );
  const needed = {};
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (needed[path]) continue;
    needed[path] = all[path];
    open.push(...all[path].imports.filter((edge) => !edge.external).map((edge) => edge.path));
  }
  return needed;
}

const withMap = (path) => [path, `${path}.map`];

/** The files that the table of a site lists: its folder also holds files of earlier builds. */
function pageFiles(folder) {
  const names = [...(siteFiles(join(ROOT, folder)) ?? [])];
  return [`${folder}/${TABLE}`, ...names.map((name) => `${folder}/${FILES}/${name}`)];
}

/** Copies the named files only: `dist` also holds files of earlier builds. */
function copyAll(target, paths) {
  for (const path of paths) {
    const copy = join(target, path);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(ROOT, path), copy);
  }
}

/**
 * The packages that are imported, as our own packages declare them: needed or optional, with the
 * same range.
 */
function dependenciesOf(outputs) {
  const declared = declaredDependencies();
  const imported = Object.values(outputs)
    .flatMap((output) => output.imports.filter((edge) => edge.external))
    .map((edge) => /^(?:@[^/]+\/)?[^/]+/.exec(edge.path)?.[0] ?? edge.path)
    .filter((name) => !name.startsWith('node:') && name !== '@trawl/evaluate');
  const found = { dependencies: {}, optionalDependencies: {} };
  for (const name of [...new Set(imported)].sort()) {
    const { member, range } = declared.get(name) ?? {};
    if (!range) throw new Error(`${name} is imported, but is a dependency of no package of ours`);
    found[member][name] = range;
  }
  return found;
}

function declaredDependencies() {
  const declared = new Map();
  for (const folder of readdirSync(join(ROOT, 'packages'))) {
    const read = readJson(join(ROOT, 'packages', folder, 'package.json'));
    const entries = ['optionalDependencies', 'dependencies'].flatMap((member) =>
      Object.entries(read[member] ?? {}).map(([name, range]) => ({ member, name, range })),
    );
    for (const { member, name, range } of entries) {
      if (name.startsWith('@trawl/')) continue;
      const other = declared.get(name)?.range ?? range;
      if (other !== range) {
        throw new Error(`${name}: packages of ours want both ${other} and ${range}`);
      }
      declared.set(name, { member, range });
    }
  }
  return declared;
}

function manifest(dependencies, isRelease) {
  const { name, version, description, license, engines } = readJson(join(ROOT, 'package.json'));
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { trawl: 'bin/trawl.cjs' },
    files: ['bin', 'dist', 'skills'],
    engines,
    ...(isRelease ? { released: true } : {}),
    ...dependencies,
  };
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const isRelease = process.argv.includes('--release');
  console.log(`built ${await build({ isRelease })}${isRelease ? ', for release' : ''}`);
}
