/**
 * Builds the package that is published: the bundle of the repository with the third-party packages
 * that it imports.
 */
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build as bundle } from '../../../scripts/build.mjs';
import { outputsOf, readJson, writePackage } from '../../../scripts/bundled-package.mjs';
import { LICENCES } from '../../../scripts/console/built-console.mjs';
import { FILES, siteFiles, TABLE } from '../../../scripts/docs-site/built-site.mjs';
import { ROOT } from '../../../scripts/source-files.mjs';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** The program of a package of its own, which the command runs where it is installed. */
const NOT_PACKED = 'dist/evaluate.js';

/**
 * Builds the package, and returns its folder: `dist` next to the sources when absent. `isRelease`
 * is set for the registry: only a released package looks for newer versions there. `built`: what a
 * build of the bundle returned.
 */
export async function build({ outdir = join(PACKAGE, 'dist'), isRelease = false, built } = {}) {
  built ??= await bundle();
  if (built.isDocsLeftOut) throw new Error(`the documentation is missing: ${built.line}`);
  if (built.isConsoleLeftOut) throw new Error(`the console is missing: ${built.line}`);
  const { name, description } = readJson(join(ROOT, 'package.json'));
  return writePackage(outdir, {
    source: PACKAGE,
    outputs: outputsOf(built.metafile, (path) => path !== NOT_PACKED),
    files: [
      ...built.assets,
      ...pageFiles('dist/docs'),
      ...pageFiles('dist/console'),
      `dist/console/${LICENCES}`,
      'skills/trawl/SKILL.md',
    ],
    bin: { trawl: "import('../dist/trawl.js');" },
    manifest: {
      name,
      // by which the registry of MCP servers knows that the package is the one of server.json
      mcpName: readJson(join(ROOT, 'server.json')).name,
      description,
      ...(isRelease ? { released: true } : {}),
    },
  });
}

/** The files that the table of a site lists: its folder also holds files of earlier builds. */
function pageFiles(folder) {
  const names = [...(siteFiles(join(ROOT, folder)) ?? [])];
  return [`${folder}/${TABLE}`, ...names.map((name) => `${folder}/${FILES}/${name}`)];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(`built ${await build()}`);
}
