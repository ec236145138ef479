import { posix } from 'node:path';
import type { Import, Source } from './source.ts';

/** A rule gives one sentence for each breach. */
export type Rule = (sources: readonly Source[]) => string[];

type Edges = Readonly<Record<string, 'values' | 'types'>>;

/** Which of our packages each package may import. One that is not listed here is a breach. */
const PACKAGE_EDGES: Readonly<Record<string, Edges>> = {
  contract: {},
  providers: { contract: 'values' },
  server: { contract: 'values', providers: 'values' },
  sandbox: {},
  client: { contract: 'types' },
  cli: {
    server: 'values',
    sandbox: 'values',
    contract: 'values',
    client: 'values',
    mcp: 'values',
  },
  mcp: { client: 'values', contract: 'values' },
  console: { client: 'values', contract: 'values' },
};

/** The parts of the server that decide; they know storage by its interface and HTTP not at all. */
const ROOMS = ['search', 'fetch', 'feedback', 'history', 'postprocess', 'upstream', 'topics'];

/** Libraries that one folder hides from all the others. */
const LIBRARY_HOMES: Readonly<Record<string, readonly string[]>> = {
  kysely: ['packages/server/src/storage/'],
  pg: ['packages/server/src/storage/'],
  libsql: ['packages/server/src/storage/'],
  hono: ['packages/server/src/http/'],
  '@hono/node-server': ['packages/server/src/http/'],
  undici: ['packages/server/src/upstream/', 'packages/server/src/direct/'],
  'playwright-core': ['packages/server/src/direct/browser/'],
};

const ENVIRONMENT_READERS = [
  'packages/server/src/config.ts',
  'packages/cli/src/main.ts',
  'packages/client/src/settings/load.ts',
];

/** Packages whose code treats all providers alike. */
const PROVIDER_BLIND = ['contract', 'server', 'client', 'cli', 'mcp', 'console'];

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
    if (!edges) return `package ${packageName} has no entry in PACKAGE_EDGES`;
    const target = /^@trawl\/([^/]+)/.exec(specifier)?.[1];
    if (!target) return undefined;
    const allowed = edges[target];
    if (!allowed) return `${packageName} may not import ${specifier}`;
    if (allowed === 'types' && !typeOnly) return `only types may be imported from ${specifier}`;
    return undefined;
  });

export const relativeImports: Rule = (sources) =>
  breaches(sources, ({ path, packageName }, { specifier }) => {
    const target = relativeTarget(path, specifier);
    return target && !target.startsWith(`packages/${packageName}/`)
      ? `${specifier} leaves the package`
      : undefined;
  });

export const rooms: Rule = (sources) =>
  breaches(sources, ({ path }, { specifier, typeOnly }) => {
    const room = ROOMS.find((name) => path.startsWith(`packages/server/src/${name}/`));
    if (!room) return undefined;
    const target = relativeTarget(path, specifier) ?? '';
    if (target.startsWith('packages/server/src/http/')) {
      return `${room}/ may not know http/ (${specifier})`;
    }
    if (!target.startsWith('packages/server/src/storage/')) return undefined;
    if (target === 'packages/server/src/storage/store.ts' && typeOnly) return undefined;
    return `${room}/ may know only the types of storage/store.ts (${specifier})`;
  });

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

/** In Node 20 and 22 this function answers false for good addresses once its caller is optimized. */
export const urlParser: Rule = (sources) =>
  sources
    .filter(({ words }) => words.includes('canParse'))
    .map(({ path }) => `${path}: URL.canParse is wrong at times; use parsedUrl or try new URL`);

/** The slugs: names of the folders that declare a vendor. Our own reader is declared by another function. */
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

/** A slug, a list of nothing but slugs, or one provider's setting such as `<SLUG>_API_KEY`. */
function namesProvider(word: string, slugs: ReadonlySet<string>): boolean {
  const setting = /^([A-Z0-9]+)_(?:API_KEY|BASE_URL|TIMEOUT_MS)$/.exec(word)?.[1];
  if (setting) return slugs.has(setting.toLowerCase());
  return word.split(/, ?/).every((part) => slugs.has(part));
}

/** Imports of types alone are left out: they are gone at run time, where a circle does its harm. */
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
  'rooms of the server know neither HTTP nor how things are stored': rooms,
  'each library stays in its folder': libraries,
  'the environment is read in one place': environment,
  'URLs are parsed by new URL': urlParser,
  'no provider is named outside its declaration': providerNames,
  'no files import each other in a circle': cycles,
} satisfies Record<string, Rule>;

/** Where a relative import leads; undefined for a package. Our imports carry their file's ending. */
function relativeTarget(path: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
}
