/**
 * Bundles the command and the workers into `dist/`, our packages inside, third-party ones outside, and makes the
 * documentation site in `dist/docs/`.
 */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { docsFingerprint, ROOT, scriptSources, sourceFingerprint } from './source-files.mjs';
import { writeAtomically } from './write-file.mjs';

const SHEBANG = '#!/usr/bin/env node\n';
const OUTDATED_AFTER_MS = 3600 * 1000;

const ENTRIES = {
  trawl: 'packages/cli/src/main.ts',
  'recorder-worker': 'packages/server/src/storage/recorder-worker.ts',
  'extract-worker': 'packages/server/src/direct/extract-worker.ts',
  'update-check': 'packages/cli/src/update-check.ts',
};

/** Files that a source reads at run time, as they are. */
const ASSETS = {
  'topics.bin': 'packages/server/src/topics/model.bin',
  'viewer/swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'viewer/swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  // what the licence of these two asks for
  'viewer/NOTICE': 'node_modules/swagger-ui-dist/NOTICE',
  'viewer/swagger-ui-bundle.js.LICENSE.txt':
    'node_modules/swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
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
  const [result, docsNotes] = await Promise.all([bundle(root, entries), buildDocs(root)]);
  copyAssets(root);
  const written = writeAll(root, withShebang(result.outputFiles));
  removeOutdated(join(root, 'dist', 'chunks'), written);
  writeAtomically(join(root, 'dist', '.stamp'), fingerprint);
  const names = Object.keys(entries).map((name) => `dist/${name}.js`);
  const notes = [
    ...missing.map((source) => ` (left out: ${source} is not there yet)`),
    ...docsNotes.map((note) => ` (docs: ${note})`),
  ];
  const milliseconds = Math.round(performance.now() - startedAt);
  return {
    line: `built ${names.join(', ') || 'nothing'} in ${milliseconds} ms${notes.join('')}`,
    metafile: result.metafile,
    missing,
  };
}

function bundle(root, entries) {
  return esbuild.build({
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
}

/** The documentation site, where there is documentation and it changed. Gives what was wrong with it, as short notes. */
async function buildDocs(root) {
  const folder = join(root, 'dist', 'docs');
  const stamp = join(folder, '.stamp');
  const fingerprint = docsFingerprint(root);
  if (!existsSync(join(root, 'docs', 'navigation.json'))) return [];
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return [];
  const buildSite = await loadBuildSite();
  if (typeof buildSite === 'string') return [buildSite];
  const { names, problems } = await buildSite({ root, folder });
  const files = join(folder, 'files');
  removeOutdated(files, new Set([...names].map((name) => join(files, name))));
  writeAtomically(stamp, fingerprint);
  return problems;
}

/** The program runs without its documentation, so a package that only the site needs may be missing. */
async function loadBuildSite() {
  try {
    return (await import('./docs-site/build-site.mjs')).buildSite;
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return `left out, ${error.message.split(' imported from')[0].toLowerCase()}`;
  }
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

/** Files of earlier builds stay for an hour: a running server may still want them. */
function removeOutdated(folder, written) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    // another build may have renamed its draft, or removed the file, by now
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found || written.has(path)) continue;
    if (Date.now() - found.mtimeMs > OUTDATED_AFTER_MS) rmSync(path, { force: true });
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
