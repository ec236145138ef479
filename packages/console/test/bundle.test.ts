import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtConsole } from './support/build.ts';

/** Of what is sent, compressed by gzip. A page on a slow line must appear soon. */
const ENTRY_MAX_BYTES = 180_000;
const ROUTE_MAX_BYTES = 80_000;

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

const { folder } = await builtConsole();
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const chunks: Readonly<Record<string, Chunk>> = read('manifest.json');
const { routes }: { readonly routes: Readonly<Record<string, { readonly file: string }>> } =
  read('site.json');

/** The files that a chunk needs before it runs. */
function filesOf(name: string, seen = new Set<string>()): Set<string> {
  const chunk = chunks[name];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const style of chunk.css ?? []) seen.add(style);
  for (const imported of chunk.imports ?? []) filesOf(imported, seen);
  return seen;
}

function sizeOf(files: Iterable<string>): number {
  const sizes = [...files].map((file) => {
    const named = routes[`/console/${file}`];
    if (!named) throw new Error(`${file} is not served`);
    return statSync(new URL(`files/${named.file}.gz`, folder)).size;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

const entry = Object.keys(chunks).find((name) => chunks[name]?.isEntry) ?? '';
const lazyChunks = Object.keys(chunks).filter((name) => chunks[name]?.isDynamicEntry);

test('what every page loads first stays small', () => {
  const size = sizeOf(filesOf(entry));
  expect(size).toBeGreaterThan(50_000);
  expect(size).toBeLessThanOrEqual(ENTRY_MAX_BYTES);
});

test.each(lazyChunks)('%s stays small', (name) => {
  const first = filesOf(entry);
  const own = [...filesOf(name)].filter((file) => !first.has(file));
  expect(sizeOf(own)).toBeLessThanOrEqual(ROUTE_MAX_BYTES);
});
