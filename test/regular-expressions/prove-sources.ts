import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledIn } from './compiled.ts';
import { type Expression, expressionsIn } from './find.ts';
import { type Proof, proveAll } from './prove-all.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Expressions that are not proven, by path and expression, with the reason why it does no harm. */
export const EXCEPTIONS = readTable('test/regular-expressions/exceptions.tsv');
/** Files that make expressions from texts and are not loaded, with the reason. */
export const NOT_LOADED = readTable('test/regular-expressions/not-loaded.tsv');

export interface ProvenSources {
  readonly expressions: readonly Expression[];
  /** Files that make expressions from texts. */
  readonly makers: readonly string[];
  /** The expressions of those files; part of `expressions`. */
  readonly compiled: readonly Expression[];
  /** By path and expression. */
  readonly proofs: ReadonlyMap<string, Proof>;
}

const nameOf = ({ path, source, flags }: Expression): string => `${path}\t/${source}/${flags}`;

/** Finds all regular expressions of our sources, and proves them. Takes about ten seconds. */
export async function proveSources(): Promise<ProvenSources> {
  const paths = sourceFiles();
  const found = paths.map((path) => expressionsIn(ROOT, path));
  const makers = paths.filter((_, index) => (found[index]?.compiled ?? 0) > 0);
  const compiled = await compiledIn(
    ROOT,
    makers.filter((path) => !NOT_LOADED.has(path)),
  );
  const expressions = [...found.flatMap((file) => file.expressions), ...compiled];
  const results = await proveAll(expressions);
  const proofs = new Map(
    expressions.map((expression, at) => [nameOf(expression), results[at] ?? { problem: '' }]),
  );
  return { expressions, makers, compiled, proofs };
}

function sourceFiles(): string[] {
  const packages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/src`);
  return [...packages, 'packages/topics/training']
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .sort();
}

/** Lines of tab-separated columns; the last one is the reason. */
function readTable(path: string): Map<string, string> {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  const rows = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    rows.map((row) => [row.slice(0, row.lastIndexOf('\t')), row.slice(row.lastIndexOf('\t') + 1)]),
  );
}
