/**
 * Builds the package that is published into a folder: ESM and CommonJS, file by file, each with its
 * declarations. It has a `package.json` of its own, because inside this repository the package is
 * used from its sources.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'tsdown';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(PACKAGE, '..', '..');
/** `./src/a/b.ts` → `a/b`. */
const fileOf = (source) => source.replace(/^\.\/src\/|\.ts$/g, '');
/** Only for packages of this repository. */
const UNPUBLISHED = ['./answers', './errors', './http', './terminal/*', './warnings'];
/** The entries that are published: name in the package, and file without its ending. */
const ENTRIES = Object.entries(ownManifest().exports)
  .filter(([entry]) => !UNPUBLISHED.includes(entry))
  .map(([entry, source]) => [entry, fileOf(source)]);
/**
 * What the package itself imports by a name that begins with `#`: a file for Node, and one for
 * other runtimes.
 */
const IMPORTS = Object.entries(ownManifest().imports);
/**
 * What one of the entries works with, each where it is used. The tests use the versions that are
 * installed here.
 */
const PEERS = {
  '@langchain/core': '^1.0.0',
  ai: '^5.0.0 || ^6.0.0 || ^7.0.0',
  zod: '^3.25.76 || ^4.1.8',
};

export async function build({ outdir }) {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  await compile(join(outdir, 'lib'));
  writeJson(join(outdir, 'package.json'), manifest());
  cpSync(join(ROOT, 'LICENSE'), join(outdir, 'LICENSE'));
  cpSync(join(PACKAGE, 'README.md'), join(outdir, 'README.md'));
  return outdir;
}

function compile(outDir) {
  const files = [...ENTRIES.map(([, file]) => file), ...importedFiles()];
  return bundle({
    cwd: PACKAGE,
    config: false,
    // in the root: declarations are made of files below its folder, and one is of `contract`
    tsconfig: join(ROOT, 'tsconfig.client.json'),
    entry: Object.fromEntries(files.map((file) => [file, `src/${file}.ts`])),
    outDir,
    format: ['esm', 'cjs'],
    unbundle: true,
    fixedExtension: false,
    // TypeScript 7 is a program without the interface that would be used otherwise
    dts: { tsgo: { path: join(ROOT, 'node_modules/typescript/bin/tsc') } },
    deps: { neverBundle: [/^#/, ...Object.keys(PEERS).map((peer) => new RegExp(`^${peer}(/|$)`))] },
    platform: 'node',
    target: 'es2022',
    // else it reports on Node 20 that its next release wants more
    logLevel: 'silent',
  });
}

const importedFiles = () =>
  IMPORTS.flatMap(([, conditions]) => Object.values(conditions).map(fileOf));

function manifest() {
  const { name, version, description, license } = ownManifest();
  const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const target = (file, kind) => ({
    types: `./lib/${file}.d.${kind}ts`,
    default: `./lib/${file}.${kind}js`,
  });
  const targets = (file) => ({ import: target(file, ''), require: target(file, 'c') });
  const exports = ENTRIES.map(([entry, file]) => [entry, targets(file)]);
  const imports = IMPORTS.map(([name, conditions]) => [
    name,
    Object.fromEntries(
      Object.entries(conditions).map(([condition, source]) => [condition, targets(fileOf(source))]),
    ),
  ]);
  return {
    name,
    version,
    description,
    license,
    repository,
    type: 'module',
    main: './lib/index.cjs',
    types: './lib/index.d.cts',
    imports: Object.fromEntries(imports),
    exports: { ...Object.fromEntries(exports), './package.json': './package.json' },
    files: ['lib'],
    // AbortSignal.any is newer than 20.0
    engines: { node: '>=20.3' },
    sideEffects: false,
    peerDependencies: PEERS,
    peerDependenciesMeta: Object.fromEntries(
      Object.keys(PEERS).map((peer) => [peer, { optional: true }]),
    ),
  };
}

function ownManifest() {
  return JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'));
}

const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
