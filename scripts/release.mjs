/**
 * `npm run release`: tags this commit with its version and pushes the tag, which
 * `.github/workflows/release.yml` publishes. First it checks what can be checked here; `-- --check`
 * does only that. `-- --version 1.2.3` sets the version everywhere, and `-- --notes` prints what
 * the changelog says about it. See docs/releasing.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT } from './source-files.mjs';

/** Which files name the version, and where: behind the first group. */
const PLACES = [
  {
    files: /^(?:packages\/[^/]+\/)?package(?:-lock)?\.json$/,
    place: /("name": "(?:trawl|@trawl\/[\w-]+)",\s+"version": "|"@trawl\/[\w-]+": "\^)([^"]+)/g,
  },
  { files: /^server\.json$/, place: /("version": ")([^"]+)/g },
  { files: /\/_?version\.(?:py|ts)$/, place: /(version\w* = ["'])([^"']+)/gi },
  { files: /^(?:deploy|docs|packages\/cli)\/.*\.(?:md|ya?ml)$/, place: /(\btrawl[:-]|newTag: )(\d[\w.-]*\d)/g },
];
/** What the owner of the repository replaces once. */
const PLACEHOLDER = /\bOWNER\/trawl\b/;

const NOT_CHECKED = `Not checked, since it takes accounts and a network:
  npm: trawl, @trawl/client and @trawl/evaluate are yours, each with release.yml as trusted publisher
  PyPI: trawl-client is yours, or has release.yml as pending publisher
  GitHub: the repository has an environment named release
  tests: the workflow runs them before it publishes anything`;

/** @param {Record<string, string>} files texts by path */
export const versionsIn = (files) =>
  placesIn(files).flatMap(({ path, text, place }) =>
    [...text.matchAll(place)].map(([, , version]) => ({ path, version })),
  );

/** The files that name another version, with this one. */
export const withVersion = (files, version) =>
  Object.fromEntries(
    placesIn(files)
      .map(({ path, text, place }) => [path, text.replace(place, `$1${version}`), text])
      .filter(([, text, before]) => text !== before),
  );

const placesIn = (files) =>
  Object.entries(files).flatMap(([path, text]) =>
    PLACES.filter((each) => each.files.test(path)).map(({ place }) => ({ path, text, place })),
  );

/** The section of a version; undefined when the changelog has none with a date. */
export function notesOf(changelog, version) {
  const [, rest] = `\n${changelog}`.split(`\n## ${version} (`);
  return rest?.split('\n## ')[0].replace(/^\d{4}-\d\d-\d\d\)\n/, '').trim();
}

/**
 * What stops a release, in sentences that say what to do. `files`: texts by path, `status`: what
 * `git status --porcelain` prints, `tags`: those that exist.
 */
export function problemsOf({ files, status, tags }) {
  const { version } = JSON.parse(files['package.json']);
  const others = versionsIn(files).filter((each) => each.version !== version);
  const paths = Object.keys(files).filter((path) => PLACEHOLDER.test(files[path]));
  return [
    ...new Set(
      others.map((other) => `${other.path} has version ${other.version}, package.json ${version}: npm run release -- --version ${version}`),
    ),
    ...paths.map((path) => `${path}: replace OWNER in OWNER/trawl by the account of the repository`),
    ...(notesOf(files['CHANGELOG.md'], version)
      ? []
      : [`CHANGELOG.md: no text below "## ${version} (YYYY-MM-DD)"`]),
    ...(tags.includes(`v${version}`) ? [`the tag v${version} exists: set the next version`] : []),
    ...(status ? [`not committed:\n${status.trimEnd()}`] : []),
  ];
}

const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

function readFiles() {
  const isText = (path) => /\.(?:json|md|py|ts|ya?ml)$/.test(path) && !/(?:^|\/)tests?\//.test(path);
  const paths = git('ls-files', '-z').split('\0').filter(isText);
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

/** Why a package cannot be packed. */
async function packingProblems() {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-release-'));
  try {
    const { packAll } = await import('./pack.mjs');
    console.log((await packAll(folder, { isRelease: true })).join('\n'));
    return [];
  } catch (error) {
    return [`packing failed: ${error.message}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function check(files) {
  const facts = { status: git('status', '--porcelain'), tags: git('tag').split('\n') };
  const problems = [...problemsOf({ files, ...facts }), ...(await packingProblems())];
  for (const problem of problems) console.log(`MISSING  ${problem}`);
  console.log(NOT_CHECKED);
  return problems.length === 0;
}

async function main() {
  const { values } = parseArgs({
    options: {
      check: { type: 'boolean' },
      notes: { type: 'boolean' },
      version: { type: 'string' },
    },
  });
  const files = readFiles();
  const { version } = JSON.parse(files['package.json']);
  if (values.notes) return console.log(notesOf(files['CHANGELOG.md'], version) ?? '');
  if (values.version !== undefined) {
    const changed = Object.entries(withVersion(files, values.version));
    for (const [path, text] of changed) writeFileSync(join(ROOT, path), text);
    return console.log(`${values.version} is in ${changed.length} files now: ${Object.keys(Object.fromEntries(changed)).join(', ')}`);
  }
  if (!(await check(files))) process.exitCode = 1;
  else if (!values.check) {
    git('tag', `v${version}`);
    git('push', 'origin', `v${version}`);
    console.log(`v${version} is pushed: the workflow "release" publishes it`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
