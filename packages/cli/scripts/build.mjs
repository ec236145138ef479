/** Builds the package that is published: the bundle of the repository with the third-party packages that it imports. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as bundle } from '../../../scripts/build.mjs';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(PACKAGE, '..', '..');

/** For clones alone, and the drafts of a build that is under way. */
const LEFT_OUT = /^dist\/(?:\.stamp|scripts\/)|\.\d+-\d+$/;

const BIN = `#!/usr/bin/env node
require('./machine.cjs');
import('../dist/trawl.js');
`;

/** @param {{ outdir?: string }} options where to; `dist` beside the sources when absent */
export async function build({ outdir = join(PACKAGE, 'dist') } = {}) {
  const outputs = neededOutputs((await bundle()).metafile.outputs);
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(join(outdir, 'bin'), { recursive: true });
  copyBundle(join(outdir, 'dist'), new Set(Object.keys(outputs)));
  writeFileSync(join(outdir, 'bin', 'trawl.cjs'), BIN, { mode: 0o755 });
  cpSync(join(ROOT, 'scripts', 'machine.cjs'), join(outdir, 'bin', 'machine.cjs'));
  cpSync(join(ROOT, 'LICENSE'), join(outdir, 'LICENSE'));
  cpSync(join(PACKAGE, 'README.md'), join(outdir, 'README.md'));
  writeFileSync(
    join(outdir, 'package.json'),
    `${JSON.stringify(manifest(dependenciesOf(outputs)), null, 2)}\n`,
  );
  return outdir;
}

/** The entries but for scripts, and what they import: chunks of earlier builds stay in `dist` for a while. */
function neededOutputs(all) {
  const open = Object.keys(all).filter(
    (path) => dirname(path) === 'dist' && all[path].entryPoint !== undefined,
  );
  const needed = {};
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (needed[path]) continue;
    needed[path] = all[path];
    open.push(...all[path].imports.filter((edge) => !edge.external).map((edge) => edge.path));
  }
  return needed;
}

/** Whatever a build puts into `dist`, its assets included, but nothing that only an earlier one wanted. */
function copyBundle(target, outputs) {
  const site = readIfThere(join(ROOT, 'dist', 'docs', 'site.json'));
  const wanted = {
    'dist/chunks': (path) => outputs.has(path.replace(/\.map$/, '')),
    'dist/docs/files': (path) => site.includes(`"${basename(path).replace(/\.(br|gz)$/, '')}"`),
  };
  for (const path of filesBelow('dist')) {
    const isWanted = wanted[dirname(path)]?.(path) ?? true;
    if (LEFT_OUT.test(path) || !isWanted) continue;
    const copy = join(target, relative('dist', path));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(ROOT, path), copy);
  }
}

const readIfThere = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** The packages that are imported, as our own packages declare them: needed or optional, with the same range. */
function dependenciesOf(outputs) {
  const declared = declaredDependencies();
  const imported = Object.values(outputs)
    .flatMap((output) => output.imports.filter((edge) => edge.external))
    .map((edge) => /^(?:@[^/]+\/)?[^/]+/.exec(edge.path)?.[0] ?? edge.path)
    .filter((name) => !name.startsWith('node:'));
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

function manifest(dependencies) {
  const { name, version, description, license, engines } = readJson(join(ROOT, 'package.json'));
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    bin: { trawl: 'bin/trawl.cjs' },
    files: ['bin', 'dist'],
    engines,
    ...dependencies,
  };
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(`built ${await build()}`);
}
