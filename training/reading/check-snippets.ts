import { minimumOf } from './check-benchmark.ts';
import { readText } from './read-benchmark.ts';
import { oneLine, SNIPPETS, snippetPages } from './snippet-pages.ts';

/**
 * Counts the known sentences that are in the texts of their pages, as trafilatura's own evaluation
 * does, and prints a table.
 * @returns whether the F1 is at least the minimum
 */
export async function checkSnippets(data: string): Promise<boolean> {
  const counts = { pages: 0, found: 0, missing: 0, extra: 0, absent: 0 };
  for (const { url, html, inText, around } of snippetPages(data)) {
    const { content } = await readText(url, html);
    const line = oneLine(content);
    const isThere = (snippet: string): boolean =>
      content.includes(snippet) || line.includes(oneLine(snippet));
    const found = inText.filter(isThere).length;
    const extra = around.filter(isThere).length;
    counts.pages += 1;
    counts.found += found;
    counts.missing += inText.length - found;
    counts.extra += extra;
    counts.absent += around.length - extra;
  }
  const { pages, found, missing, extra, absent } = counts;
  const precision = found / (found + extra);
  const recall = found / (found + missing);
  const f1 = (2 * precision * recall) / (precision + recall);
  const accuracy = (found + absent) / (found + absent + missing + extra);
  const minimum = minimumOf(SNIPPETS.name, 'all');
  const figures = [f1, precision, recall, accuracy].map((value) => value.toFixed(4));
  console.log(`\n${SNIPPETS.name}, ${pages} pages\n`);
  console.log('| F1 of sentences | precision | recall | accuracy | minimum F1 |');
  console.log('| --: | --: | --: | --: | --: |');
  console.log(`| ${[...figures, minimum].join(' | ')} |`);
  return f1 >= minimum;
}
