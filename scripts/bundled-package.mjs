/** Writes packages that are published from the bundle of the repository. */
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
import { licencesOf } from './bundled-library.mjs';
import { ROOT } from './source-files.mjs';

/** A program in its own package, which is looked up when it runs. */
const PROGRAM = '@trawl/evaluate';

/**
 * Writes a package into `outdir`: files of the repository, the commands of `bin` by name with what
 * each runs, the licence, and the README of `source`, the folder of its sources. `outputs` are
 * those of the bundle that it has: what they import becomes its dependencies.
 */
export function writePackage(outdir, { source, outputs, files, bin, manifest }) {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(join(outdir, 'bin'), { recursive: true });
  // without the source maps: they name sources that the package does not have
  for (const path of [...Object.keys(outputs), ...files]) copy(outdir, path);
  for (const [name, run] of Object.entries(bin)) {
    const text = `#!/usr/bin/env node\nrequire('./machine.cjs');\n${run}\n`;
    writeFileSync(join(outdir, 'bin', `${name}.cjs`), text, { mode: 0o755 });
  }
  cpSync(join(ROOT, 'scripts', 'machine.cjs'), join(outdir, 'bin', 'machine.cjs'));
  const inputs = Object.assign({}, ...Object.values(outputs).map((output) => output.inputs));
  writeFileSync(join(outdir, 'dist', 'LICENSES.txt'), licencesOf({ inputs }, ROOT));
  cpSync(join(ROOT, 'LICENSE'), join(outdir, 'LICENSE'));
  cpSync(join(source, 'README.md'), join(outdir, 'README.md'));
  const { version, license, engines, repository } = readJson(join(ROOT, 'package.json'));
  const all = {
    ...manifest,
    version,
    license,
    repository,
    type: 'module',
    bin: Object.fromEntries(Object.keys(bin).map((name) => [name, `bin/${name}.cjs`])),
    files: [...new Set(['bin', 'dist', ...files.map((path) => path.split('/')[0])])],
    engines,
    ...dependenciesOf(outputs),
  };
  writeFileSync(join(outdir, 'package.json'), `${JSON.stringify(all, null, 2)}\n`);
  return outdir;
}

/** The entries of the bundle that `isWanted` accepts by path, and what they import. */
export function outputsOf(metafile, isWanted) {
  const all = metafile.outputs;
  // chunks of earlier builds stay in `dist` for a while
  const open = Object.keys(all).filter(
    (path) => dirname(path) === 'dist' && all[path].entryPoint !== undefined && isWanted(path),
  );
  const needed = {};
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (needed[path]) continue;
    needed[path] = all[path];
    open.push(...all[path].imports.filter((edge) => !edge.external).map((edge) => edge.path));
  }
  return needed;
}

function copy(outdir, path) {
  const target = join(outdir, path);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(ROOT, path), target);
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
    .filter((name) => !name.startsWith('node:') && name !== PROGRAM);
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

export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
