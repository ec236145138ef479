/** Bundles and runs the tools of the topic classifier: `npm run topics -- COMMAND`. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const bundle = at('../../dist/tools/topics.mjs');
await build({
  entryPoints: [at('main.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  loader: { '.tsv': 'text' },
  sourcemap: true,
  logLevel: 'warning',
});
process.setSourceMapsEnabled(true);
process.argv = [process.execPath, bundle, ...process.argv.slice(2)];
await import(pathToFileURL(bundle).href);
