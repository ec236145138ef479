import { posix } from 'node:path';
import { packageOf, readSource, type Source } from './source.ts';

/** A rule returns one sentence for each breach. */
export type Rule = (sources: readonly Source[]) => string[];

/**
 * The longest allowed chain of imports between folders of one package. Its entries do not count.
 */
const LEVELS_MAX = 6;

const ENTRIES = ['index.ts', 'main.ts', 'main.tsx', 'registry.ts'];

/** Packages whose code treats all providers alike. */
const PROVIDER_BLIND = [
  ...[
    'base',
    'contract',
    'extract',
    'reader',
    'topics',
    'upstream',
    'router',
    'database',
    'store',
    'server',
    'telemetry',
    'redis',
  ],
  ...['client', 'cli', 'evaluate', 'mcp', 'console', 'console-api'],
];

/** Documentation in the form of data: requests and answers as a reader would see them. */
const EXAMPLES = 'packages/contract/src/examples/';

/** By package: what its package.json names, for whatever use. */
export type Named = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * What tests of a package may import: packages that its package.json names. Those in `test/` belong
 * to no package. Only a file that has another name in its text is parsed: there are a thousand.
 */
export const testImports =
  (named: Named) =>
  (tests: ReadonlyMap<string, string>): string[] =>
    [...tests].flatMap(([path, text]) => {
      const packageName = packageOf(path);
      const isUnnamed = (specifier: string): boolean => {
        const name = OURS.exec(specifier)?.[0];
        const own = named.get(packageName);
        return !!name && !!own && name !== `@trawl/${packageName}` && !own.has(name);
      };
      if (!text.match(OURS_IN_TEXT)?.some(isUnnamed)) return [];
      return readSource(path, text)
        .imports.filter(({ specifier }) => isUnnamed(specifier))
        .map(
          ({ specifier }) =>
            `${path}: package.json of ${packageName} does not name ${OURS.exec(specifier)?.[0]}`,
        );
    });

const OURS = /^@trawl\/[^/]+/;
const OURS_IN_TEXT = /@trawl\/[\w-]+/g;

export const looseFiles: Rule = (sources) =>
  sources
    .filter(({ packageName, path }) => {
      const [file, ...deeper] = path.replace(`packages/${packageName}/src/`, '').split('/');
      return deeper.length === 0 && !ENTRIES.includes(file ?? '');
    })
    .map(
      ({ path }) =>
        `${path}: a source lies in a folder of its package; only ${ENTRIES.join(' and ')} do not`,
    );

/** Imports of types count too: a reader follows them like any other. */
export const levels: Rule = (sources) =>
  packagesOf(sources).flatMap(([name, own]) => {
    const folders = folderImports(name, own);
    const longest = longestChain(folders);
    if (longest.circle)
      return [`folders of ${name} import each other: ${longest.chain.join(' → ')}`];
    return longest.chain.length > LEVELS_MAX
      ? [`${name} is ${longest.chain.length} levels deep: ${longest.chain.join(' → ')}`]
      : [];
  });

function packagesOf(sources: readonly Source[]): [string, Source[]][] {
  const byName = new Map<string, Source[]>();
  for (const source of sources) {
    const own = byName.get(source.packageName) ?? [];
    byName.set(source.packageName, [...own, source]);
  }
  return [...byName];
}

/** Which folders of a package each of its folders imports. */
function folderImports(name: string, own: readonly Source[]): ReadonlyMap<string, Set<string>> {
  const folderOf = (path: string) => path.replace(`packages/${name}/src/`, '').split('/')[0] ?? '';
  const folders = new Map<string, Set<string>>();
  for (const { path, imports } of own) {
    const folder = folderOf(path);
    if (ENTRIES.includes(folder)) continue;
    const targets = folders.get(folder) ?? new Set();
    for (const { specifier } of imports) {
      const target = relativeTarget(path, specifier);
      if (target && folderOf(target) !== folder) targets.add(folderOf(target));
    }
    folders.set(folder, targets);
  }
  return folders;
}

function longestChain(folders: ReadonlyMap<string, ReadonlySet<string>>): {
  readonly chain: readonly string[];
  readonly circle: boolean;
} {
  let longest: { chain: readonly string[]; circle: boolean } = { chain: [], circle: false };
  const follow = (folder: string, trail: readonly string[]): void => {
    if (longest.circle) return;
    const chain = [...trail, folder];
    const circle = trail.includes(folder);
    if (circle || chain.length > longest.chain.length) longest = { chain, circle };
    if (!circle) for (const target of folders.get(folder) ?? []) follow(target, chain);
  };
  for (const folder of folders.keys()) follow(folder, []);
  return longest;
}

/**
 * In Node 20 and 22 this function returns false for valid addresses once its caller is optimized.
 */
export const urlParser: Rule = (sources) =>
  sources
    .filter(({ words }) => words.includes('canParse'))
    .map(({ path }) => `${path}: URL.canParse is sometimes wrong; use parsedUrl or try new URL`);

/**
 * The slugs: names of the folders that declare a vendor. Our own reader is declared by another
 * function.
 */
export function providerSlugs(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, words }) => {
    const slug = /^packages\/providers\/src\/([^/]+)\/provider\.ts$/.exec(path)?.[1];
    return slug && words.includes('defineProvider') ? [slug] : [];
  });
}

/** Words of queries, and no providers: some sources have the name of what people ask for. */
const WORDS_OF_QUERIES = 'packages/topics/src/classifier/patterns.ts';

export const providerNames: Rule = (sources) => {
  const slugs = new Set(providerSlugs(sources));
  return sources
    .filter(({ packageName }) => PROVIDER_BLIND.includes(packageName))
    .filter(({ path }) => !path.startsWith(EXAMPLES) && path !== WORDS_OF_QUERIES)
    .flatMap(({ path, words }) =>
      [...new Set(words)]
        .filter((word) => namesProvider(word, slugs))
        .map((word) => `${path}: '${word}' names a provider`),
    );
};

/** A slug, a list of slugs, or one provider's setting such as `<SLUG>_API_KEY`. */
function namesProvider(word: string, slugs: ReadonlySet<string>): boolean {
  const setting = /^([A-Z0-9]+)_(?:API_KEY|BASE_URL|TIMEOUT_MS)$/.exec(word)?.[1];
  if (setting) return slugs.has(setting.toLowerCase());
  return word.split(/, ?/).every((part) => slugs.has(part));
}

export const RULES = {
  'sources lie in folders': looseFiles,
  'folders of a package import only those below them, six levels at most': levels,
  'URLs are parsed by new URL': urlParser,
  'no provider is named outside its declaration': providerNames,
} satisfies Record<string, Rule>;

/**
 * The file that a relative import names; undefined for a package. Our imports include the file
 * extension.
 */
function relativeTarget(path: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
}
