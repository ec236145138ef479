/**
 * Builds the package that is published into `dist/`: ESM and CommonJS, file by file, each with its declarations. It has a
 * `package.json` of its own, because inside this repository the package is used from its sources.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { filesBelow } from '../../../scripts/source-files.mjs';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(PACKAGE, '..', '..');
/** The entries of the sources: name in the package, and file without its ending. */
const ENTRIES = Object.entries(ownManifest().exports).map(([entry, source]) => [
  entry,
  source.replace(/^\.\/src\/|\.ts$/g, ''),
]);
/** What one of the entries works with, each where it is used. The tests use the versions that are installed here. */
const PEERS = {
  '@langchain/core': '^1.0.0',
  ai: '^5.0.0 || ^6.0.0 || ^7.0.0',
  zod: '^3.25.76 || ^4.1.8',
};

/** @param {{ outdir?: string }} options where to; `dist` beside the sources when absent */
export async function build({ outdir = join(PACKAGE, 'dist') } = {}) {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  await Promise.all(['esm', 'cjs'].map((format) => compile(format, join(outdir, format))));
  declare(join(outdir, 'esm'));
  rewriteEndings(join(outdir, 'esm'));
  copyDeclarations(join(outdir, 'esm'), join(outdir, 'cjs'));
  rewriteEndings(join(outdir, 'cjs'));
  writeJson(join(outdir, 'cjs', 'package.json'), { type: 'commonjs' });
  writeJson(join(outdir, 'package.json'), manifest());
  cpSync(join(ROOT, 'LICENSE'), join(outdir, 'LICENSE'));
  cpSync(join(PACKAGE, 'README.md'), join(outdir, 'README.md'));
  return outdir;
}

function compile(format, outdir) {
  return esbuild.build({
    entryPoints: [...filesBelow(join(PACKAGE, 'src'))],
    outbase: join(PACKAGE, 'src'),
    outdir,
    format,
    platform: 'node',
    target: 'es2022',
    logLevel: 'silent',
  });
}

function declare(outDir) {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const project = join(PACKAGE, 'tsconfig.build.json');
  const options = { stdio: 'pipe', encoding: 'utf8' };
  try {
    execFileSync(process.execPath, [tsc, '-p', project, '--outDir', outDir], options);
  } catch (error) {
    // the compiler complains on standard output, which the error's own message leaves out
    throw new Error(`${error.message}\n${error.stdout}`, { cause: error });
  }
}

/** Neither tool touches the `.ts` of an import that stays one. */
function rewriteEndings(folder) {
  for (const path of filesBelow(folder)) {
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/(["'])(\.\.?\/[^"'\n]+)\.ts\1/g, '$1$2.js$1'));
  }
}

function copyDeclarations(from, to) {
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !/\.\w+$/.test(path) || path.endsWith('.d.ts'),
  });
}

function manifest() {
  const { name, version, description, license } = ownManifest();
  const target = (folder, file) => ({
    types: `./${folder}/${file}.d.ts`,
    default: `./${folder}/${file}.js`,
  });
  const exports = ENTRIES.map(([entry, file]) => [
    entry,
    { import: target('esm', file), require: target('cjs', file) },
  ]);
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    main: './cjs/index.js',
    types: './cjs/index.d.ts',
    exports: { ...Object.fromEntries(exports), './package.json': './package.json' },
    files: ['esm', 'cjs'],
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(`built ${await build()}`);
}
