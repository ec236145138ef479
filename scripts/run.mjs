/**
 * Runs the command from a clone: `node scripts/run.mjs ARGS` is `trawl ARGS`, built first when a
 * source has changed. Servers start by run.cjs, which does the same with more threads. Nothing but
 * the command itself writes to standard output.
 */
import './machine.cjs';
import { spawnSync } from 'node:child_process';
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
function canBuild() {
  try {
    import.meta.resolve('esbuild');
    return true;
  } catch {
    return false;
  }
}

function ensureBuilt(target) {
  const isBuilt = existsSync(target);
  const isSiteDone = isSiteCurrent(ROOT) || lacksPackage(ROOT);
  if (isBuilt && isSiteDone && isConsoleDone(ROOT) && isBundleCurrent(ROOT)) return;
  if (!canBuild()) {
    if (isBuilt) return;
    stop('the program is not built, and esbuild, which builds it, is not installed: run npm ci');
  }
  // a process of its own: a server would keep the hundreds of megabytes that a build takes
  const script = join(ROOT, 'scripts', 'build.mjs');
  const { status } = spawnSync(process.execPath, isBuilt ? [script, '--outdated'] : [script], {
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  });
  if (status !== 0) process.exit(1);
  if (!existsSync(target)) stop(`the build made no ${target}: its source is missing`);
}

checkInstalled();
const target = join(ROOT, 'dist', 'trawl.js');
ensureBuilt(target);
process.argv = [process.execPath, target, ...process.argv.slice(2)];
// In this process, so that signals, standard input and exit codes work directly.
await import(pathToFileURL(target).href).catch((error) => {
  const missing = /^Cannot find package '(.+?)'/.exec(error?.message)?.[1];
  if (!missing) throw error;
  stop(`the package ${missing} is not installed: run npm ci, the dependencies may have changed`);
});
