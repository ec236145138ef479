import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ARTICLES, BENCHMARKS, isThere, TRAINING } from './benchmark-pages.ts';
import { checkBenchmark } from './check-benchmark.ts';
import { checkSnippets } from './check-snippets.ts';
import { dumpQuality } from './dump-quality.ts';
import { dumpSigns, dumpSnippetSigns } from './dump-signs.ts';
import { hasSnippets, SNIPPETS, snippetPages } from './snippet-pages.ts';

/** npm runs scripts from the root of the repository. */
const DATA = join(process.cwd(), '..', 'data');

const USAGE = `npm run reading -- COMMAND [--data FOLDER]
  check        reads the pages of each benchmark in FOLDER, and fails when a figure is below its minimum;
               --articles FILE writes the texts that evaluate.py of article-extraction-benchmark compares
  signs FILE   writes what training/reading/train.py learns from
  quality FILE writes what training/reading/train_quality.py learns from, after signs FILE and train.py FILE --held-out

FOLDER (../data) holds checkouts of these repositories, each in a folder of the repository's name:
${[...new Set([...BENCHMARKS, SNIPPETS].map(({ source, licence }) => `  ${source} (${licence})`))].join('\n')}`;

export async function runReading(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      data: { type: 'string', default: DATA },
      articles: { type: 'string' },
    },
  });
  const [command, file] = positionals;
  if (command === 'check') await check(values.data, values.articles);
  else if (command === 'signs' && file) {
    dumpSigns(TRAINING.pages(join(values.data, TRAINING.folder)), file);
    dumpSnippetSigns(snippetPages(values.data), file);
  } else if (command === 'quality' && file) {
    const pages = TRAINING.pages(join(values.data, TRAINING.folder));
    await dumpQuality(pages, `${file}.quality`, `${file}.held-out.bin`);
  } else console.error(USAGE);
}

/**
 * @param articles where the articles' texts are written, in the form that
 * article-extraction-benchmark compares
 */
async function check(data: string, articles: string | undefined): Promise<void> {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const benchmark of BENCHMARKS) {
    if (!isThere(benchmark, data)) {
      console.log(`${benchmark.name}: skipped, ${join(data, benchmark.folder)} is missing`);
      counts.skipped += 1;
      continue;
    }
    const { isGood, bodies } = await checkBenchmark(benchmark, join(data, benchmark.folder));
    counts[isGood ? 'passed' : 'failed'] += 1;
    if (articles && benchmark === ARTICLES) {
      writeFileSync(articles, JSON.stringify(bodies));
    }
  }
  if (hasSnippets(data)) counts[(await checkSnippets(data)) ? 'passed' : 'failed'] += 1;
  else {
    console.log(`${SNIPPETS.name}: skipped, ${join(data, SNIPPETS.folder)} is missing`);
    counts.skipped += 1;
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  if (counts.failed > 0) process.exitCode = 1;
}
