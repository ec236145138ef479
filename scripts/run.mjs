/**
 * Runs the command from a clone: `node scripts/run.mjs ARGS` is `trawl ARGS`, built first when a
 * source has changed. Servers start by run.cjs, which does the same with more threads. Nothing but
 * the command itself writes to standard output.
 */
import './machine.cjs';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isConsoleDone } from './console/built-console.mjs';
import { isSiteCurrent, lacksPackage } from './docs-site/built-site.mjs';
import { isBundleCurrent, ROOT } from './source-files.mjs';

function stop(reason) {
  console.error(`trawl: ${reason}`);
  process.exit(1);
}

function checkInstalled() {
  if (!existsSync(join(ROOT, 'node_modules'))) {
    stop('node_modules is missing: run npm ci first');
  }
}

/** An installation without esbuild (an image that ships `dist`) runs the existing build. */
async function loadBuild() {
  try {
    return await import('./build.mjs');
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return undefined;
  }
}

async function ensureBuilt(target) {
  const isBuilt = existsSync(target);
  const isSiteDone = isSiteCurrent(ROOT) || lacksPackage(ROOT);
  if (isBuilt && isSiteDone && isConsoleDone(ROOT) && isBundleCurrent(ROOT)) return;
  const builder = await loadBuild();
  if (!builder) {
    if (isBuilt) return;
    stop('the program is not built, and esbuild, which builds it, is not installed: run npm ci');
  }
  try {
    console.error(isBuilt ? await builder.buildOutdated() : (await builder.build()).line);
  } catch (error) {
    stop(error instanceof Error ? error.message : String(error));
  }
  if (!existsSync(target)) stop(`the build made no ${target}: its source is missing`);
}

checkInstalled();
const target = join(ROOT, 'dist', 'trawl.js');
await ensureBuilt(target);
process.argv = [process.execPath, target, ...process.argv.slice(2)];
// In this process, so that signals, standard input and exit codes work directly.
await import(pathToFileURL(target).href).catch((error) => {
  const missing = /^Cannot find package '(.+?)'/.exec(error?.message)?.[1];
  if (!missing) throw error;
  stop(`the package ${missing} is not installed: run npm ci, the dependencies may have changed`);
});
