import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A page of a benchmark with the text that its authors expect. */
export interface BenchmarkPage {
  readonly id: string;
  readonly url: string;
  /** Such as `article`, `product`. */
  readonly type: string;
  readonly html: Uint8Array;
  readonly expected: string;
}

/** A set of pages in a folder next to the checkout; none of it belongs to this repository. */
export interface Benchmark {
  readonly name: string;
  /** In the folder of all sets. */
  readonly folder: string;
  readonly source: string;
  readonly licence: string;
  readonly pages: (folder: string) => Generator<BenchmarkPage>;
}

const WCXB = {
  folder: 'web-content-extraction-benchmark',
  source: 'https://github.com/Murrough-Foley/web-content-extraction-benchmark',
  licence: 'CC-BY-4.0',
};

/** The model is trained on this one. */
export const TRAINING: Benchmark = {
  ...WCXB,
  name: 'WCXB, development part',
  pages: (folder) => wcxbPages(folder, 'dev'),
};

/** Its texts have no headline, and it counts runs of words. */
export const ARTICLES: Benchmark = {
  name: 'article-extraction-benchmark',
  folder: 'article-extraction-benchmark',
  source: 'https://github.com/scrapinghub/article-extraction-benchmark',
  licence: 'MIT',
  pages: articlePages,
};

export const BENCHMARKS: readonly Benchmark[] = [
  TRAINING,
  { ...WCXB, name: 'WCXB, test part', pages: (folder) => wcxbPages(folder, 'test') },
  ARTICLES,
];

/** Whether its pages are there. */
export function isThere({ folder }: Benchmark, data: string): boolean {
  return existsSync(join(data, folder));
}

function* wcxbPages(folder: string, split: string): Generator<BenchmarkPage> {
  const { files } = readJson(join(folder, 'metadata.json'));
  for (const name of readdirSync(join(folder, split, 'ground-truth')).sort()) {
    const id = name.replace(/\.json$/, '');
    const { url, ground_truth: truth } = readJson(join(folder, split, 'ground-truth', name));
    yield {
      id,
      url: url ?? `https://${files[id].domain}/`,
      type: files[id].page_type,
      html: gunzipSync(readFileSync(join(folder, split, 'html', `${id}.html.gz`))),
      expected: truth?.main_content ?? '',
    };
  }
}

function* articlePages(folder: string): Generator<BenchmarkPage> {
  const truths: Record<string, { url: string; articleBody: string }> = readJson(
    join(folder, 'ground-truth.json'),
  );
  for (const [id, { url, articleBody }] of Object.entries(truths)) {
    const html = gunzipSync(readFileSync(join(folder, 'html', `${id}.html.gz`)));
    yield { id, url, type: 'article', html, expected: articleBody };
  }
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
