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
import { ROOT } from './source-files.mjs';

/** Texts by path. */
type Files = Readonly<Record<string, string>>;

/** Which files name the version, and where: behind the first group. */
const PLACES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:packages\/[^/]+\/)?package(?:-lock)?\.json$/,
    /("name": "(?:trawl|@trawl\/[\w-]+)",\s+"version": "|"@trawl\/[\w-]+": "\^)([^"]+)/g,
  ],
  [/^server\.json$/, /("version": ")([^"]+)/g],
  [/\/_?version\.(?:py|ts)$/, /(version\w* = ["'])([^"']+)/gi],
  [
    /^(?:deploy|docs|packages\/cli)\/.*\.(?:md|ya?ml)$/,
    /(\btrawl(?:-client|-evaluate)?[:-]|newTag: )(\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?)/g,
  ],
];

const NOT_CHECKED = `not checked, since it takes accounts and a network:
  npm: trawl, @trawl/client and @trawl/evaluate are yours, each with release.yml as trusted publisher
  PyPI: trawl-client is yours, or has release.yml as pending publisher
  GitHub: the repository has an environment named release
  tests: the workflow runs them before it publishes anything`;

const placesOf = (path: string): readonly RegExp[] =>
  PLACES.flatMap(([files, place]) => (files.test(path) ? [place] : []));

/** Sets the version of all packages, of their ranges, of server.json, and of pages that name it. */
export const withVersion = (files: Files, version: string): Files =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      placesOf(path).reduce((changed, place) => changed.replace(place, `$1${version}`), text),
    ]),
  );

/** What the changelog says below a version and its day; empty when it has no such section. */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m);
  const section = sections.find((each) => each.startsWith(`${version} (20`)) ?? '';
  return section.split('\n').slice(1).join('\n').trim();
}

/**
 * What stops a release, in lines that say what to do. `status`: what `git status --porcelain`
 * prints; `tags`: those that exist.
 */
export function problemsOf(
  files: Files,
  { status, tags }: { readonly status: string; readonly tags: readonly string[] },
): readonly string[] {
  const version = versionOf(files);
  const right = withVersion(files, version);
  const paths = Object.keys(files);
  return [
    ...paths
      .filter((path) => files[path] !== right[path])
      .map((path) => `${path}: not version ${version}; npm run release -- --version ${version}`),
    ...paths
      .filter((path) => /OWNER\/trawl/.test(files[path] ?? ''))
      .map((path) => `${path}: replace OWNER by the account of the repository`),
    ...paths
      .filter((path) => /published\syet/.test(files[path] ?? ''))
      .map((path) => `${path}: says that it is not published: say how it is installed`),
    ...(notesOf(files['CHANGELOG.md'] ?? '', version)
      ? []
      : [`CHANGELOG.md: no text below "## ${version} (YYYY-MM-DD)"`]),
    ...(tags.includes(`v${version}`) ? [`the tag v${version} exists: set the next version`] : []),
    ...(status ? [`not committed:\n${status.trimEnd()}`] : []),
  ];
}

const versionOf = (files: Files): string => JSON.parse(files['package.json'] ?? '').version;

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

function readFiles(): Files {
  const isText = (path: string) => /(?<!(?:^|\/)tests?\/.*)\.(?:json|md|py|ts|ya?ml)$/.test(path);
  const paths = git('ls-files', '-z').split('\0').filter(isText);
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

/** Whether nothing is missing. Prints what is, and the sizes of what would be published. */
async function check(files: Files): Promise<boolean> {
  const facts = { status: git('status', '--porcelain'), tags: git('tag').split('\n') };
  const problems = problemsOf(files, facts);
  const folder = mkdtempSync(join(tmpdir(), 'trawl-release-'));
  const { packAll } = await import('./pack.ts');
  console.log(await packAll(folder, true).finally(() => rmSync(folder, { recursive: true })));
  for (const problem of problems) console.log(`MISSING ${problem}`);
  console.log(NOT_CHECKED);
  return problems.length === 0;
}

async function main([option, next = '']: readonly string[]): Promise<void> {
  const files = readFiles();
  const version = versionOf(files);
  if (option === '--notes') console.log(notesOf(files['CHANGELOG.md'] ?? '', version));
  else if (option === '--version' && /^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/.test(next)) {
    for (const [path, text] of Object.entries(withVersion(files, next)))
      if (text !== files[path]) writeFileSync(join(ROOT, path), text);
  } else if (option !== undefined && option !== '--check') {
    throw new Error('release takes --check, --notes or --version, such as 1.2.3 or 1.2.3-rc.1');
  } else if (!(await check(files))) process.exitCode = 1;
  else if (option === undefined) {
    git('tag', `v${version}`);
    git('push', 'origin', `v${version}`);
    console.log(`v${version} is pushed, and the workflow publishes it`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(process.argv.slice(2));
