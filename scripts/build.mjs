/**
 * Bundles the command and the workers into `dist/`, our packages and the libraries of many files
 * inside, others outside, and makes the documentation site in `dist/docs/` and the console in
 * `dist/console/`.
 */
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import {
  ABSENT_SOURCE,
  isLibraryInstalled,
  licencesOf,
  placeOf,
  SHORTENED,
  WITHOUT_LIBRARY,
} from './bundled-library.mjs';
import { consoleFolder, isConsoleCurrent, missingLibrary } from './console/built-console.mjs';
import { FILES, isSiteCurrent, siteFiles } from './docs-site/built-site.mjs';
import {
  bundleFingerprint,
  consoleFingerprint,
  docsFingerprint,
  isBundleCurrent,
  ROOT,
  readStamp,
} from './source-files.mjs';
import { writeAtomically } from './write-file.mjs';

const SHEBANG = '#!/usr/bin/env node\n';
const OUTDATED_AFTER_MS = 3600 * 1000;

const ENTRIES = {
  trawl: 'packages/cli/src/main.ts',
  evaluate: 'packages/evaluate/src/main.ts',
  'recorder-worker': 'packages/store/src/recorder/recorder-worker.ts',
  'extract-worker': 'packages/reader/src/threads/extract-worker.ts',
};

/** Files that a source reads at run time; copied unchanged. */
const ASSETS = {
  'topics.bin': 'packages/topics/src/classifier/model.bin',
  'viewer/swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'viewer/swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  // required by the licence of these two
  'viewer/NOTICE': 'node_modules/swagger-ui-dist/NOTICE',
  'viewer/swagger-ui-bundle.js.LICENSE.txt':
    'node_modules/swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
};

/**
 * Libraries that are CommonJS ask for modules of Node.js with `require`, which an ES module does
 * not have.
 */
const BANNER =
  "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);";

const LICENCES = 'LICENSES.txt';

/** `packages: 'external'` would leave our own packages outside too. */
const thirdPartyOutside = (root) => ({
  name: 'third-party-outside',
  setup(build) {
    // neither a path nor one of a package's own imports, such as #defaults
    build.onResolve({ filter: /^[^./#]/ }, (asked) => {
      const { path, kind } = asked;
      // a program of its own, which may be missing
      if (path === '@trawl/evaluate/program') return { path, external: true };
      if (kind === 'entry-point' || path.startsWith('@trawl/')) return undefined;
      if (builtinModules.includes(path)) return { path: `node:${path}`, external: true };
      const place = placeOf(asked, root);
      if (place === 'absent') return { path, namespace: place };
      return place === 'inside' ? undefined : { path, external: true };
    });
    build.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: ABSENT_SOURCE }));
  },
});

const shortLibraries = (root) => ({
  name: 'short-libraries',
  setup(build) {
    for (const { filter, contents } of SHORTENED) {
      const namespace = `short ${filter.source}`;
      build.onResolve({ filter }, ({ path }) => ({ path, namespace }));
      build.onLoad({ filter: /.*/, namespace }, () => ({ contents, resolveDir: root }));
    }
  },
});

/**
 * Builds, and describes the result in one line. Throws esbuild's failure, whose message lists the
 * errors.
 */
export async function build({ root = ROOT } = {}) {
  const startedAt = performance.now();
  // Taken first: a source that changes during the build makes the build outdated.
  const fingerprint = bundleFingerprint(root);
  const { entries, missing } = findEntries(root);
  const [result, docs, pages] = await Promise.all([
    bundle(root, entries),
    buildDocs(root),
    ensureConsole(root),
  ]);
  const assets = [...copyAssets(root), ...writeLicences(root, result.metafile)];
  const isWhole = isLibraryInstalled(root);
  const written = writeAll(root, withShebang(result.outputFiles));
  const folder = join(root, 'dist');
  const chunks = join(folder, 'chunks');
  const names = [...written]
    .filter((path) => dirname(path) === chunks)
    .map((path) => basename(path));
  removeOutdated(chunks, { replaced: readStamp(folder).notes, current: new Set(names) });
  writeStamp(folder, fingerprint, isWhole ? names : [...names, WITHOUT_LIBRARY]);
  const entryNames = Object.keys(entries).map((name) => `dist/${name}.js`);
  const notes = [
    ...missing.map((source) => ` (left out: ${source} is not there yet)`),
    ...docs.notes,
    ...pages.notes,
  ];
  return {
    line: lineOf(entryNames.join(', ') || 'nothing', startedAt, notes),
    metafile: result.metafile,
    missing,
    assets,
    isDocsLeftOut: docs.isLeftOut,
    isConsoleLeftOut: pages.notes.length > 0,
  };
}

/**
 * Builds what changed, which may be only the documentation or the console. Returns a description in
 * one line.
 */
export async function buildOutdated({ root = ROOT } = {}) {
  if (!isBundleCurrent(root)) return (await build({ root })).line;
  const startedAt = performance.now();
  const [docs, pages] = await Promise.all([buildDocs(root), ensureConsole(root)]);
  const names = [docs.isBuilt && 'dist/docs', pages.isBuilt && 'dist/console'].filter(Boolean);
  return lineOf(names.join(', ') || 'nothing', startedAt, [...docs.notes, ...pages.notes]);
}

function lineOf(what, startedAt, notes) {
  const milliseconds = Math.round(performance.now() - startedAt);
  return `built ${what} in ${milliseconds} ms${notes.join('')}`;
}

/** Of every bundle: what runs on Node.js. */
const optionsIn = (root) => ({
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  loader: { '.tsv': 'text' },
  banner: { js: BANNER },
  plugins: [shortLibraries(root), thirdPartyOutside(root)],
  write: false,
  logLevel: 'silent',
});

function bundle(root, entries) {
  return esbuild.build({
    ...optionsIn(root),
    entryPoints: entries,
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    sourcemap: true,
    // for debuggers; a server does not read them: that would double the time of its start
    sourcesContent: false,
    metafile: true,
  });
}

/**
 * A source with all that it imports, as one file. Libraries are inside or outside as in `dist/`.
 */
export async function bundledFile(path, root = ROOT) {
  const { outputFiles } = await esbuild.build({ ...optionsIn(root), entryPoints: [path] });
  return outputFiles[0].contents;
}

/**
 * Builds the documentation site if it changed. Problems of the site are reported with every build
 * until they are fixed, but do not fail the build of the program.
 */
async function buildDocs(root) {
  if (isSiteCurrent(root)) return { notes: [], isBuilt: false, isLeftOut: false };
  const folder = join(root, 'dist', 'docs');
  const fingerprint = docsFingerprint(root);
  const replaced = siteFiles(folder) ?? [];
  try {
    const { buildSite } = await import('./docs-site/build-site.mjs');
    const { names, problems } = await buildSite({ root, folder });
    removeOutdated(join(folder, FILES), { replaced, current: names });
    if (problems.length === 0) writeStamp(folder, fingerprint);
    return {
      notes: problems.map((problem) => ` (docs: ${problem})`),
      isBuilt: true,
      isLeftOut: false,
    };
  } catch (error) {
    const missing = missingPackage(error);
    // run.mjs tries again when the package exists
    if (missing) writeStamp(folder, fingerprint, [missing]);
    const reason = missing ? `cannot find package '${missing}'` : error.message;
    return { notes: [` (docs: left out, ${reason})`], isBuilt: false, isLeftOut: true };
  }
}

/**
 * Builds the console if it changed. Its libraries are for development only, so an installation
 * without them keeps the console that it has. An error in a page fails the build.
 */
export async function ensureConsole(root) {
  if (isConsoleCurrent(root)) return { notes: [], isBuilt: false };
  const missing = missingLibrary(root);
  if (missing) {
    const reason = `${missing} is not installed; npm ci without --omit=dev installs it`;
    return { notes: [` (console: left out, ${reason})`], isBuilt: false };
  }
  const folder = consoleFolder(root);
  const fingerprint = consoleFingerprint(root);
  const replaced = siteFiles(folder) ?? [];
  const { buildConsole } = await import('./console/build-console.mjs');
  const current = await buildConsole({ root, folder });
  removeOutdated(join(folder, FILES), { replaced, current });
  writeStamp(folder, fingerprint);
  return { notes: [], isBuilt: true };
}

/** The package that an import did not find. */
function missingPackage({ code, message }) {
  if (code !== 'ERR_MODULE_NOT_FOUND') return undefined;
  return /^Cannot find package '((?:@[^/']+\/)?[^/'@]+)'/.exec(message)?.[1];
}

function writeStamp(folder, fingerprint, notes = []) {
  writeAtomically(join(folder, '.stamp'), [fingerprint, ...notes].join('\n'));
}

function findEntries(root) {
  const all = Object.entries(ENTRIES);
  return {
    entries: Object.fromEntries(all.filter(([, source]) => existsSync(join(root, source)))),
    missing: all.map(([, source]) => source).filter((source) => !existsSync(join(root, source))),
  };
}

/** Adds a missing shebang to the command, and moves the source map down by a line. */
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

/**
 * Chunks come before entries, so that a process that starts now finds everything its entry imports.
 */
function writeAll(root, files) {
  const isEntry = (file) => dirname(relative(join(root, 'dist'), file.path)) === '.';
  const ordered = [...files].sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)));
  for (const file of ordered) writeAtomically(file.path, file.contents);
  const command = join(root, 'dist', 'trawl.js');
  if (existsSync(command)) chmodSync(command, 0o755);
  return new Set(ordered.map((file) => resolve(file.path)));
}

/** Returns the copies of those that existed. */
function copyAssets(root) {
  const found = Object.entries(ASSETS).filter(([, source]) => existsSync(join(root, source)));
  for (const [name, source] of found) {
    writeAtomically(join(root, 'dist', name), readFileSync(join(root, source)));
  }
  return found.map(([name]) => `dist/${name}`);
}

/** Returns the file, if the bundle contains packages of others. */
function writeLicences(root, metafile) {
  const text = licencesOf(metafile, root);
  if (text === undefined) return [];
  writeAtomically(join(root, 'dist', LICENCES), text);
  return [`dist/${LICENCES}`];
}

/**
 * Files of earlier builds stay for an hour after the build that replaced them: a server that is
 * still running may need them. `replaced`: files of the previous build, by name; `current`: files
 * of this one.
 */
function removeOutdated(folder, { replaced, current }) {
  if (!existsSync(folder)) return;
  const now = new Date();
  const justReplaced = new Set(replaced);
  for (const name of readdirSync(folder)) {
    if (current.has(name)) continue;
    const path = join(folder, name);
    // another build may have renamed its draft or removed the file
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) continue;
    if (justReplaced.has(name)) utimesSync(path, now, now);
    else if (now - found.mtimeMs > OUTDATED_AFTER_MS) rmSync(path, { force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    console.log(process.argv[2] === '--outdated' ? await buildOutdated() : (await build()).line);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
