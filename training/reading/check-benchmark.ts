import { readFileSync } from 'node:fs';
import { ARTICLES, type Benchmark } from './benchmark-pages.ts';
import { type ReadResult, readBenchmarkPage } from './read-benchmark.ts';
import { type Score, scoreOf } from './word-score.ts';

export interface Checked {
  /** No figure is below its minimum. */
  readonly isGood: boolean;
  /** By page: its text without the headline. */
  readonly bodies: Readonly<Record<string, { readonly articleBody: string }>>;
}

/** Reads the pages of a benchmark and prints a table by type of page. */
export async function checkBenchmark(benchmark: Benchmark, folder: string): Promise<Checked> {
  const results: ReadResult[] = [];
  for (const page of benchmark.pages(folder)) results.push(await readBenchmarkPage(page));
  const isArticles = benchmark === ARTICLES;
  const types = [...new Set(results.map(({ page }) => page.type))].sort();
  const times = results.map(({ millis }) => millis).sort((one, other) => one - other);
  const at = (part: number) => (times[Math.floor(part * (times.length - 1))] ?? 0).toFixed(1);
  console.log(
    `\n${benchmark.name}, ${results.length} pages, ${at(0.5)} ms of CPU in the median, p99 ${at(0.99)} ms\n`,
  );
  console.log('| Pages | number | F1 | precision | recall | minimum |');
  console.log('| --- | --: | --: | --: | --: | --: |');
  const rows = isArticles
    ? [{ type: 'all', score: articleScore(results), number: results.length }]
    : ['all', ...types].map((type) => {
        const group = type === 'all' ? results : results.filter(({ page }) => page.type === type);
        return { type, score: meanOf(group.map(({ score }) => score)), number: group.length };
      });
  let isGood = true;
  for (const { type, score, number } of rows) {
    const { f1, precision, recall } = score;
    const minimum = minimumOf(benchmark.name, type);
    if (f1 < minimum) isGood = false;
    const figures = [f1, precision, recall].map((value) => value.toFixed(4));
    console.log(`| ${[type, number, ...figures, minimum || ''].join(' | ')} |`);
  }
  printQualities(results);
  return {
    isGood,
    bodies: Object.fromEntries(
      results.map((result) => [result.page.id, { articleBody: bodyOf(result) }]),
    ),
  };
}

/** Whether pages of which a quality is predicted really have it. */
function printQualities(results: readonly ReadResult[]): void {
  console.log('\n| Predicted quality | pages | mean prediction | mean F1 |');
  console.log('| --- | --: | --: | --: |');
  for (let low = 0; low < 10; low += 1) {
    const within = results.filter(
      ({ quality }) => quality !== null && Math.min(9, Math.floor(quality * 10 + 1e-9)) === low,
    );
    if (within.length === 0) continue;
    const mean = (of: (result: ReadResult) => number) =>
      (within.reduce((sum, result) => sum + of(result), 0) / within.length).toFixed(2);
    const means = [mean(({ quality }) => quality ?? 0), mean(({ score }) => score.f1)];
    console.log(`| ${[`from ${low / 10}`, within.length, ...means].join(' | ')} |`);
  }
}

function meanOf(scores: readonly Score[]): Score {
  const mean = (of: (score: Score) => number) =>
    scores.reduce((sum, score) => sum + of(score), 0) / Math.max(1, scores.length);
  return {
    f1: mean(({ f1 }) => f1),
    precision: mean(({ precision }) => precision),
    recall: mean(({ recall }) => recall),
  };
}

/**
 * As evaluate.py of article-extraction-benchmark counts: runs of four words, and the F1 of the mean
 * precision and recall.
 */
function articleScore(results: readonly ReadResult[]): Score {
  const { precision, recall } = meanOf(
    results.map((result) => scoreOf(runsOf(bodyOf(result)), runsOf(result.page.expected))),
  );
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

const RUN = 4;

function runsOf(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length < RUN) return words.length === 0 ? [] : [words.join(' ')];
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '));
}

/** The text without the headline, which these articles do not expect. */
function bodyOf({ content, title }: ReadResult): string {
  const end = content.indexOf('\n');
  const first = end < 0 ? content : content.slice(0, end);
  const [line, name] = [first, title ?? ''].map((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
  const isHeadline = line && name && (line.startsWith(name) || name.startsWith(line));
  return (isHeadline ? content.slice(first.length) : content).trim();
}

export function minimumOf(benchmark: string, pages: string): number {
  const [, ...lines] = readFileSync(new URL('./minimums.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const found = lines
    .map((line) => line.split('\t'))
    .find(([name, type]) => name === benchmark && type === pages);
  return Number(found?.[2] ?? 0);
}
