/** Builds the package that is published: the program of the bundle, and what it imports. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputsOf, readJson, writePackage } from '../../../scripts/bundled-package.mjs';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

const RUN = `import('../dist/evaluate.js').then(({ runEvaluate }) =>
  runEvaluate(process.argv.slice(2), process.env));`;

/** Builds the package into `outdir`. `built`: what a build of the bundle returned. */
export function build({ outdir, built }) {
  const { name, description, sideEffects } = readJson(join(PACKAGE, 'package.json'));
  return writePackage(outdir, {
    source: PACKAGE,
    outputs: outputsOf(built.metafile, (path) => path === 'dist/evaluate.js'),
    files: [],
    bin: { 'trawl-evaluate': RUN },
    manifest: {
      name,
      description,
      sideEffects,
      exports: { './program': './dist/evaluate.js', './package.json': './package.json' },
    },
  });
}
