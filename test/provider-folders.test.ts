import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { PROVIDERS, type Provider } from '@trawl/providers';
import { startSandbox } from '@trawl/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';

const FOLDERS = 'packages/providers/src';
const urlOf = (path: string): URL => new URL(`../${path}`, import.meta.url);

let sandboxVendors: readonly string[];
let stop: () => Promise<void>;
beforeAll(async () => {
  const sandbox = await startSandbox();
  sandboxVendors = sandbox.vendors;
  stop = () => sandbox.stop();
});
afterAll(() => stop());

/**
 * The missing parts of a provider, each as a sentence. The compiler checks its prices and
 * declarations.
 */
function missingParts({ slug, search, fetch }: Provider): readonly string[] {
  const folder = `${FOLDERS}/${slug}`;
  const isVendor = search !== null || fetch?.kind === 'vendor';
  const files = [
    `${folder}/notes.md`,
    ...(search === null ? [] : [`${folder}/search.fixture.json`]),
    ...(fetch?.kind === 'vendor' ? [`${folder}/fetch.fixture.json`] : []),
  ].filter((path) => !existsSync(urlOf(path)));
  return [
    ...files.map((path) => `${path} is missing`),
    ...missingTables(`${folder}/notes.md`, [
      ...(search === null ? [] : [`facts-${slug}`]),
      ...(fetch === null ? [] : [`fetch-facts-${slug}`]),
    ]),
    ...(existsSync(urlOf(`docs/providers/${slug}.md`))
      ? []
      : [`docs/providers/${slug}.md is missing: npm run docs makes it from notes.md`]),
    ...(isVendor && !sandboxVendors.includes(slug)
      ? [`packages/sandbox: vendor ${slug} is missing`]
      : []),
  ];
}

function missingTables(path: string, names: readonly string[]): readonly string[] {
  if (!existsSync(urlOf(path))) return [];
  const text = readFileSync(urlOf(path), 'utf8');
  return names
    .map((name) => `<!-- generated: ${name} -->`)
    .filter((marker) => !text.includes(marker))
    .map((marker) => `${path} lacks the line ${marker}`);
}

const partsOf = (file: RegExp): readonly string[] =>
  readdirSync(urlOf(FOLDERS), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => file.test(path));

test.each(PROVIDERS.map((provider) => [provider.slug, provider] as const))(
  '%s has all its parts: notes, fixtures, page, and its API in the sandbox',
  (_slug, provider) => {
    expect(missingParts(provider).join('\n')).toBe('');
  },
);

test('every folder that declares a provider is in the registry', () => {
  const declared = partsOf(/^[^/]+\/provider\.ts$/).map((path) => path.replace(/\/.*/, ''));
  const missing = declared.filter((slug) => !PROVIDERS.some((provider) => provider.slug === slug));
  expect(missing.map((slug) => `registry.ts lacks a line for ${slug}`).join('\n')).toBe('');
});

test('every fixture belongs to an operation of its provider', () => {
  const unused = PROVIDERS.flatMap(({ slug, search, fetch }) => [
    ...(search === null ? [`${slug}/search.fixture.json`] : []),
    ...(fetch?.kind === 'vendor' ? [] : [`${slug}/fetch.fixture.json`]),
  ]);
  expect(partsOf(/\.fixture\.json$/).filter((path) => unused.includes(path))).toEqual([]);
});
