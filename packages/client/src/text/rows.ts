import type { SearchRun } from '../contract/answers.ts';
import { fence, oneLine } from './fence.ts';
import { grouped } from './grouped.ts';
import { type ShownRow, shownRows } from './merge.ts';

/** The results as one fence per query: the rows of all providers that answered, each page once. */
export function queryBlocks(runs: readonly SearchRun[]): readonly string[] {
  const answered = runs.filter(({ output_payload }) => output_payload !== null);
  return grouped(answered, ({ batch_index }) => batch_index).map(queryBlock);
}

function queryBlock(runs: readonly SearchRun[]): string {
  const providers = runs.map(({ preprocessor_name }) => preprocessor_name);
  const extras = runs.flatMap(({ preprocessor_name, output_payload }) =>
    extrasOf(output_payload).map(([what, text]) => `${what} of ${preprocessor_name}: ${text}`),
  );
  const rows = shownRows(runs).map((row, index) => rowText(row, index + 1, runs.length > 1));
  const body = [...extras.map(indented), ...(rows.length > 0 ? rows : ['No results.'])].join('\n');
  return fence({ provider: providers.join(', '), query: runs[0]?.query ?? '' }, body);
}

/** What a provider returned in addition to pages: an answer, entities, related searches. */
function extrasOf(output: SearchRun['output_payload']): readonly (readonly [string, string])[] {
  const { answer, entities = [], related = [] } = output ?? {};
  const things = entities.map(({ name, description }) =>
    oneLine(description ? `${name} (${description})` : name),
  );
  return [
    ...(answer ? [['Answer', answer.text] as const] : []),
    ...(things.length > 0 ? [['Entities', things.join('; ')] as const] : []),
    ...(related.length > 0 ? [['Related searches', oneLine(related.join('; '))] as const] : []),
  ];
}

/** Rank, title and date; the URL and the providers that found it; then the texts, each only once. */
function rowText(row: ShownRow, place: number, isMerged: boolean): string {
  const { title, url, finds, summary, excerpt, full_content, publish_date } = row;
  const date = publish_date ? ` [${publish_date}]` : '';
  const found = finds.map(({ provider, rank }) => `${provider} #${rank}`).join(', ');
  const where = [url, ...(isMerged ? [`found by ${found}`] : [])].filter(Boolean).join(' ');
  const texts = distinctTexts([
    summary ? summary.replace(/\s+/g, ' ').trim() : '',
    withoutEmptyLines(excerpt ?? ''),
    withoutEmptyLines(full_content ?? ''),
  ]);
  return [`${place}. ${oneLine(title ?? '(no title)')}${date}`, where, ...texts]
    .filter((line) => line !== '')
    .map((line, index) => (index === 0 ? line : `   ${indented(line)}`))
    .join('\n');
}

/** Removes empty lines, which would end the item of the list. */
const withoutEmptyLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');

const indented = (text: string): string => withoutEmptyLines(text).replaceAll('\n', '\n   ');

/** Drops a text that another one contains, ignoring line breaks. */
function distinctTexts(texts: readonly string[]): readonly string[] {
  const plain = texts.map((text) => text.replace(/\s+/g, ' ').trim());
  return texts.filter((_, index) => {
    const own = plain[index] ?? '';
    return !plain.some(
      (other, at) => at !== index && other.includes(own) && (other !== own || at < index),
    );
  });
}
