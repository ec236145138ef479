import { posix } from 'node:path';
import type { Import, Source } from './source.ts';

/** A rule returns one sentence for each breach. */
export type Rule = (sources: readonly Source[]) => string[];

/** A list: values of these subpaths, and types of all. */
type Edges = Readonly<Record<string, 'values' | 'types' | readonly string[]>>;

/** What the browser may load of the contract: schemas would bring zod along. */
const BROWSER_CONTRACT = [
  'advice',
  'catalogue',
  'filters',
  'limits',
  'rank-fusion',
  'vocabulary',
].map((name) => `@trawl/contract/${name}`);

/** Which of our packages each package may import. A package that is not listed here is a breach. */
const PACKAGE_EDGES: Readonly<Record<string, Edges>> = {
  contract: {},
  providers: { contract: 'values' },
  'drop-ins': { contract: 'values', providers: 'values' },
  base: { contract: ['@trawl/contract/exact-json'] },
  extract: { base: 'values', contract: 'values', providers: 'values' },
  reader: { base: 'values', contract: 'values', providers: 'values', extract: 'values' },
  topics: { base: 'values', contract: 'values', providers: 'values' },
  upstream: { base: 'values', contract: 'values', providers: 'values' },
  router: {
    base: 'values',
    contract: 'values',
    providers: 'values',
    upstream: 'values',
    reader: 'types',
    topics: 'types',
  },
  database: { base: 'types', contract: 'types', router: 'types' },
  store: {
    base: 'values',
    contract: 'values',
    router: 'values',
    database: 'values',
  },
  telemetry: { router: 'types', upstream: 'types' },
  redis: { base: 'values', contract: 'values', router: 'values', upstream: 'values' },
  server: {
    base: 'values',
    contract: 'values',
    providers: 'values',
    'drop-ins': 'values',
    reader: 'values',
    topics: 'values',
    upstream: 'values',
    router: 'values',
    store: 'values',
    telemetry: 'values',
    redis: 'values',
  },
  'routing-lab': {
    base: 'values',
    contract: 'values',
    providers: 'values',
    topics: 'values',
    upstream: 'values',
    router: 'values',
    store: 'types',
    server: 'values',
  },
  upkeep: { contract: 'values', database: 'values', store: 'values' },
  sandbox: {},
  client: { contract: ['@trawl/contract/rank-fusion'] },
  cli: {
    base: 'values',
    redis: 'values',
    reader: 'values',
    router: 'values',
    'routing-lab': 'values',
    store: 'values',
    telemetry: 'values',
    server: 'values',
    sandbox: 'values',
    contract: 'values',
    client: 'values',
    mcp: 'values',
    'console-api': 'values',
    upkeep: 'values',
  },
  mcp: { client: 'values', contract: 'values' },
  'console-api': {
    base: 'values',
    contract: 'values',
    providers: 'values',
    'routing-lab': 'values',
    upstream: 'types',
    router: 'values',
    server: 'values',
    store: 'types',
  },
  console: { client: ['@trawl/client/http'], contract: BROWSER_CONTRACT },
};

/** What tests may import in addition: all of it, by the name of the package. */
const TEST_EDGES: Readonly<Record<string, readonly string[]>> = {
  cli: ['database'],
  console: ['base', 'console-api', 'router', 'server'],
  database: ['store', 'upkeep'],
  redis: ['providers'],
  server: ['client', 'console-api', 'database', 'extract', 'upkeep'],
  store: ['upkeep'],
  upkeep: ['base', 'router'],
};

/** Libraries that only these folders may import. */
const LIBRARY_HOMES: Readonly<Record<string, readonly string[]>> = {
  kysely: ['packages/database/src/', 'packages/store/src/', 'packages/upkeep/src/'],
  pg: ['packages/database/src/'],
  '@photostructure/sqlite': ['packages/database/src/'],
  '@redis/client': ['packages/redis/src/connection/'],
  hono: ['packages/server/src/http/'],
  '@hono/node-server': ['packages/server/src/http/'],
  undici: ['packages/upstream/src/', 'packages/reader/src/'],
  'prom-client': ['packages/telemetry/src/metrics/'],
  '@opentelemetry': ['packages/telemetry/src/traces/'],
  'better-auth': ['packages/console-api/src/accounts/'],
  'playwright-core': ['packages/reader/src/browser/'],
};

/**
 * The longest allowed chain of imports between folders of one package. Its entries do not count.
 */
const LEVELS_MAX = 6;

const ENTRIES = ['index.ts', 'main.ts', 'main.tsx', 'registry.ts'];

const ENVIRONMENT_READERS = [
  'packages/server/src/config/config.ts',
  'packages/cli/src/main.ts',
  'packages/client/src/settings/load.ts',
  'packages/client/src/values/environment.ts',
];

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
  ...['client', 'cli', 'mcp', 'console', 'console-api'],
];

/** Documentation in the form of data: requests and answers as a reader would see them. */
const EXAMPLES = 'packages/contract/src/examples/';

const breaches = (
  sources: readonly Source[],
  check: (source: Source, edge: Import) => string | undefined,
): string[] =>
  sources.flatMap((source) =>
    source.imports.flatMap((edge) => {
      const breach = check(source, edge);
      return breach ? [`${source.path}: ${breach}`] : [];
    }),
  );

export const packageEdges: Rule = (sources) =>
  breaches(sources, ({ packageName }, { specifier, typeOnly }) => {
    const edges = PACKAGE_EDGES[packageName];
    if (!edges) return `package ${packageName} is missing from PACKAGE_EDGES`;
    const target = /^@trawl\/([^/]+)/.exec(specifier)?.[1];
    if (!target) return undefined;
    const allowed = edges[target];
    if (!allowed) return `${packageName} may not import ${specifier}`;
    if (typeOnly || allowed === 'values') return undefined;
    if (allowed !== 'types' && allowed.includes(specifier)) return undefined;
    return `only types may be imported from ${specifier}`;
  });

export const relativeImports: Rule = (sources) =>
  breaches(sources, ({ path, packageName }, { specifier }) => {
    const target = relativeTarget(path, specifier);
    return target && !target.startsWith(`packages/${packageName}/`)
      ? `${specifier} leaves the package`
      : undefined;
  });

/** Tests in `test/` and the package `test-support` belong to no package, so they may import all. */
export const testImports: Rule = (tests) =>
  breaches(tests, ({ path, packageName }, { specifier }) => {
    const target = relativeTarget(path, specifier) ?? '';
    if (target.startsWith('packages/') && !target.startsWith(`packages/${packageName}/`)) {
      return `${specifier} is in another package; import it by the name of the package`;
    }
    const name = /^@trawl\/([^/]+)/.exec(specifier)?.[1] ?? packageName;
    const isFree = ['', 'test-support'].includes(packageName);
    const allowed = [packageName, 'sandbox', 'test-support', ...(TEST_EDGES[packageName] ?? [])];
    return isFree || allowed.includes(name) || PACKAGE_EDGES[packageName]?.[name]
      ? undefined
      : `tests of ${packageName} may not import ${specifier}`;
  });

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

export const libraries: Rule = (sources) =>
  breaches(sources, ({ path }, { specifier }) => {
    const library = Object.keys(LIBRARY_HOMES).find(
      (name) => specifier === name || specifier.startsWith(`${name}/`),
    );
    const homes = library ? (LIBRARY_HOMES[library] ?? []) : [];
    return library && !homes.some((home) => path.startsWith(home))
      ? `${library} belongs in ${homes.join(' or ')}`
      : undefined;
  });

export const environment: Rule = (sources) =>
  sources
    .filter((source) => source.readsEnvironment && !ENVIRONMENT_READERS.includes(source.path))
    .map((source) => `${source.path}: process.env is read in ${ENVIRONMENT_READERS.join(' and ')}`);

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

export const providerNames: Rule = (sources) => {
  const slugs = new Set(providerSlugs(sources));
  return sources
    .filter(({ packageName }) => PROVIDER_BLIND.includes(packageName))
    .filter(({ path }) => !path.startsWith(EXAMPLES))
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

/**
 * Imports of types are left out: they do not exist at run time, and only there a cycle does harm.
 */
export const cycles: Rule = (sources) => {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      found.push(`import cycle: ${[...trail.slice(start), path].join(' → ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const { specifier, typeOnly } of byPath.get(path)?.imports ?? []) {
      const target = typeOnly ? undefined : relativeTarget(path, specifier);
      if (target && byPath.has(target)) visit(target, [...trail, path]);
    }
    done.add(path);
  };
  for (const path of byPath.keys()) visit(path, []);
  return found;
};

export const RULES = {
  'packages import only those below them': packageEdges,
  'no relative import leaves its package': relativeImports,
  'sources lie in folders': looseFiles,
  'folders of a package import only those below them, six levels at most': levels,
  'each library stays in its folder': libraries,
  'the environment is read in one place': environment,
  'URLs are parsed by new URL': urlParser,
  'no provider is named outside its declaration': providerNames,
  'no files import each other in a circle': cycles,
} satisfies Record<string, Rule>;

/**
 * The file that a relative import names; undefined for a package. Our imports include the file
 * extension.
 */
function relativeTarget(path: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
}
