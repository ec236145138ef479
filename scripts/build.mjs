/** Bundles the command and the workers into `dist/`. Our packages go in, third-party ones stay outside. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { ROOT, scriptSources, sourceFingerprint } from './source-files.mjs';

const SHEBANG = '#!/usr/bin/env node\n';
const OUTDATED_AFTER_MS = 3600 * 1000;

const ENTRIES = {
  trawl: 'packages/cli/src/main.ts',
  'recorder-worker': 'packages/server/src/storage/recorder-worker.ts',
  'extract-worker': 'packages/server/src/direct/extract-worker.ts',
};

/** Files that a source reads at run time, as they are. */
const ASSETS = {
  'topics.bin': 'packages/server/src/topics/model.bin',
};

/** `packages: 'external'` would leave our own packages outside too. */
const thirdPartyOutside = {
  name: 'third-party-outside',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@trawl/') ? undefined : { path, external: true },
    );
  },
};

/** Builds and says what it did in one line. Throws esbuild's failure, whose message lists the errors. */
export async function build({ root = ROOT } = {}) {
  const startedAt = performance.now();
  // Taken first: a source that changes during the build makes the build outdated.
  const fingerprint = sourceFingerprint(root);
  const { entries, missing } = findEntries(root);
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    plugins: [thirdPartyOutside],
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  copyAssets(root);
  const written = writeAll(root, withShebang(result.outputFiles));
  removeOutdated(join(root, 'dist', 'chunks'), written);
  writeAtomically(join(root, 'dist', '.stamp'), fingerprint);
  const names = Object.keys(entries).map((name) => `dist/${name}.js`);
  const notes = missing.map((source) => ` (left out: ${source} is not there yet)`);
  const milliseconds = Math.round(performance.now() - startedAt);
  return {
    line: `built ${names.join(', ') || 'nothing'} in ${milliseconds} ms${notes.join('')}`,
    metafile: result.metafile,
    missing,
  };
}

function findEntries(root) {
  const scripts = scriptSources(root).map((path) => [`scripts/${basename(path, '.ts')}`, path]);
  const all = [...Object.entries(ENTRIES), ...scripts];
  return {
    entries: Object.fromEntries(all.filter(([, source]) => existsSync(join(root, source)))),
    missing: all.map(([, source]) => source).filter((source) => !existsSync(join(root, source))),
  };
}

/** Puts the shebang on the command where its source has none; the source map moves down with it. */
function withShebang(files) {
  const command = files.find((file) => basename(file.path) === 'trawl.js');
  if (!command || command.text.startsWith('#!')) return files;
  return files.map((file) => {
    if (file === command) return { path: file.path, contents: SHEBANG + file.text };
    if (file.path !== `${command.path}.map`) return file;
    const map = JSON.parse(file.text);
    return {
      path: file.path,
      contents: JSON.stringify({ ...map, mappings: `;${map.mappings}` }),
    };
  });
}

/** Chunks before entries, so that a process started meanwhile finds all that its entry names. */
function writeAll(root, files) {
  const isEntry = (file) => dirname(relative(join(root, 'dist'), file.path)) === '.';
  const ordered = [...files].sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)));
  for (const file of ordered) writeAtomically(file.path, file.contents);
  const command = join(root, 'dist', 'trawl.js');
  if (existsSync(command)) chmodSync(command, 0o755);
  return new Set(ordered.map((file) => resolve(file.path)));
}

function copyAssets(root) {
  for (const [name, source] of Object.entries(ASSETS)) {
    const path = join(root, source);
    if (existsSync(path)) writeAtomically(join(root, 'dist', name), readFileSync(path));
  }
}

function writeAtomically(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}

/** Chunks of earlier builds stay for an hour: a running server may still import them. */
function removeOutdated(folder, written) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const age = Date.now() - statSync(path).mtimeMs;
    if (!written.has(path) && age > OUTDATED_AFTER_MS) rmSync(path);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    console.log((await build()).line);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
