import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInRows } from '@trawl/base';
import { TOPICS } from '@trawl/contract';
import { z } from 'zod';
import { hashText } from '../../packages/topics/src/classifier/word-table.ts';
import { readTexts } from './readers.ts';

/** One row of `sources.tsv`. */
export type Source = z.output<typeof SOURCE>;

const SOURCE = z.object({
  source: z.string().regex(/^[a-z0-9-]+$/),
  use: z.enum(['develop', 'sealed']),
  topic: z.enum(TOPICS),
  language: z.enum(['en', 'de', 'fr', 'es', 'pt']),
  most: z.coerce.number().int().positive(),
  repository: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  path: z.string().min(1),
  read: z.string().min(1),
  without: z.string(),
  licence: z.string().min(1),
  taken: z.string().min(1),
});
const FORMAT = { row: SOURCE, maxRows: 500 };
const GIT_BYTES_MAX = 64 * 1024 * 1024;

export function readSources(path: string): readonly Source[] {
  return builtInRows('sources.tsv', readFileSync(path, 'utf8'), FORMAT);
}

/**
 * Reads the queries of every source from clones in `from`, in folders named `owner+name`, and
 * writes a file per source to `to`. A source whose clone is missing is skipped, and named.
 */
export function collect(sources: readonly Source[], from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  const lines = new Map<string, string[]>();
  let skipped = 0;
  for (const source of sources) {
    const clone = join(from, source.repository.replace('/', '+'));
    if (!existsSync(clone)) {
      console.log(`skipped ${source.source}: no clone of ${source.repository} in ${from}`);
      skipped += 1;
      continue;
    }
    const queries = sample(queriesOf(source, clone), source.most);
    if (queries.length === 0) console.log(`${source.source}: nothing found in ${source.path}`);
    const { topic, language, use } = source;
    const rows = queries.map((query) => `${topic}\t${language}\t${use}\t${query}`);
    lines.set(source.source, [...(lines.get(source.source) ?? []), ...rows]);
    console.log(`${source.source.padEnd(24)} ${topic.padEnd(24)} ${language} ${queries.length}`);
  }
  for (const [source, rows] of lines) {
    writeFileSync(join(to, `${source}.tsv`), `${rows.join('\n')}\n`);
  }
  console.log(`${lines.size} sources in ${to}, ${skipped} rows skipped`);
}

function queriesOf({ commit, path, read, without }: Source, clone: string): string[] {
  const git = (...args: string[]): Buffer =>
    execFileSync('git', ['-C', clone, ...args], { maxBuffer: GIT_BYTES_MAX });
  const isWanted = new RegExp(path.startsWith('~') ? path.slice(1) : `^${escaped(path)}$`);
  const paths = git('ls-tree', '-r', '--name-only', '-z', commit).toString('utf8').split('\0');
  const unwanted = without === '-' ? undefined : new RegExp(without, 'i');
  return paths
    .filter((name) => isWanted.test(name))
    .flatMap((name) => readTexts(git('show', `${commit}:${name}`), read))
    .filter((query) => !unwanted?.test(query));
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Up to `most` different texts, the same ones in every run. */
function sample(texts: readonly string[], most: number): string[] {
  const different = [...new Map(texts.map((text) => [text.toLowerCase(), text])).values()];
  return different.sort((a, b) => hashText(a, 7) - hashText(b, 7)).slice(0, most);
}
