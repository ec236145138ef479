import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { byForm } from '@trawl/test-support/form';
import { compiledIn } from './compiled.ts';
import { type Expression, expressionsIn } from './find.ts';
import { type Proof, proveAll } from './prove-all.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = 'test/regular-expressions';

/** Expressions that are not proven, by path and expression, with the reason why it does no harm. */
export const EXCEPTIONS = readTable(`${FOLDER}/exceptions.tsv`);
/** Files that make expressions from texts and are not loaded, with the reason. */
export const NOT_LOADED = readTable(`${FOLDER}/not-loaded.tsv`);
/** Proofs on record, by expression. The first row is that of the program that made them. */
export const PROOFS = `${FOLDER}/proofs.tsv`;

export interface ProvenSources {
  readonly expressions: readonly Expression[];
  /** Files that make expressions from texts. */
  readonly makers: readonly string[];
  /** The expressions of those files; part of `expressions`. */
  readonly compiled: readonly Expression[];
  /** By path and expression. */
  readonly proofs: ReadonlyMap<string, Proof>;
  /** What `proofs.tsv` should hold, in its order. */
  readonly record: readonly string[];
}

const nameOf = ({ path, source, flags }: Expression): string => `${path}\t/${source}/${flags}`;

const recordName = ({ source, flags, findsAll }: Expression): string =>
  `${findsAll ? 'all matches' : 'first match'}\t/${source}/${flags}`;

/**
 * Finds all regular expressions of our sources, and proves those without a proof on record. In the
 * full form of the tests, proves all, which takes about a minute of processor time.
 */
export async function proveSources(): Promise<ProvenSources> {
  const paths = sourceFiles();
  const found = paths.map((path) => expressionsIn(ROOT, path));
  const makers = paths.filter((_, index) => (found[index]?.compiled ?? 0) > 0);
  const compiled = await compiledIn(
    ROOT,
    makers.filter((path) => !NOT_LOADED.has(path)),
  );
  const expressions = [...found.flatMap((file) => file.expressions), ...compiled];
  const byRecord = await proofsOf(expressions);
  const proofs = new Map(
    expressions.map((expression) => [
      nameOf(expression),
      byRecord.get(recordName(expression)) ?? { problem: 'not proven' },
    ]),
  );
  return { expressions, makers, compiled, proofs, record: recordOf(byRecord) };
}

async function proofsOf(expressions: readonly Expression[]): Promise<Map<string, Proof>> {
  const known = proofsOnRecord();
  const unknown = expressions.filter((expression) => !known.has(recordName(expression)));
  const made = await proveAll(unknown);
  const added = new Map(
    unknown.map((expression, at) => [recordName(expression), made[at] ?? { problem: '' }]),
  );
  return new Map(
    expressions.map((expression): [string, Proof] => {
      const name = recordName(expression);
      const proof = known.get(name);
      return [name, proof === undefined ? (added.get(name) ?? { problem: '' }) : { proof }];
    }),
  );
}

/** Empty where another prover made the record, and in the full form. */
function proofsOnRecord(): ReadonlyMap<string, string> {
  const table = existsSync(join(ROOT, PROOFS)) ? readTable(PROOFS) : new Map<string, string>();
  const isUsed = byForm({ small: table.get('prover') === prover(), full: false });
  return isUsed ? table : new Map();
}

function recordOf(proofs: ReadonlyMap<string, Proof>): string[] {
  const rows = [...proofs].flatMap(([name, { proof }]) =>
    proof === undefined ? [] : [`${name}\t${proof}`],
  );
  return [`prover\t${prover()}`, ...rows.sort()];
}

/** Changes with all that a proof depends on. */
function prover(): string {
  const parts = [`${FOLDER}/prove.mjs`, 'node_modules/recheck/package.json'];
  const hash = createHash('sha256');
  for (const path of parts) hash.update(readFileSync(join(ROOT, path)));
  return hash.digest('hex').slice(0, 16);
}

function sourceFiles(): string[] {
  const packages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/src`);
  return [...packages, 'training/topics']
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .sort();
}

/** Lines of tab-separated columns; the last one is the reason or proof. */
function readTable(path: string): Map<string, string> {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  const rows = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    rows.map((row) => [row.slice(0, row.lastIndexOf('\t')), row.slice(row.lastIndexOf('\t') + 1)]),
  );
}
