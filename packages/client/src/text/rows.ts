import type { SearchRun } from '../contract/answers.ts';
import { distinctTexts } from './distinct.ts';
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

/**
 * Place, title and date; the URL and the providers that found it, with their ranks; then the texts,
 * each only once. Lines after the first one are indented by one space, which costs no token.
 */
function rowText(row: ShownRow, place: number, isMerged: boolean): string {
  const { url, finds, summary, excerpt, full_content, publish_date } = row;
  const title = oneLine(row.title ?? '(no title)');
  // some vendors know the day alone; one form for all
  const date = publish_date ? ` [${publish_date.split('T', 1)[0]}]` : '';
  const found = finds.map(({ provider, rank }) => `${provider}#${rank}`);
  const where = [url, ...(isMerged ? found : [])].filter(Boolean).join(' ');
  const texts = [summary?.replace(/\s+/g, ' '), excerpt, full_content].map((text) =>
    withoutEmptyLines(withoutTitle(text ?? '', title)),
  );
  return [`${place}. ${title}${date}`, where, ...distinctTexts(texts)]
    .filter((line) => line !== '')
    .map((line, index) => (index === 0 ? line : ` ${indented(line)}`))
    .join('\n');
}

/** Without a heading that repeats the title of the row. */
function withoutTitle(text: string, title: string): string {
  const heading = `# ${title}`;
  const rest = text.trimStart();
  const next = rest.charAt(heading.length);
  return rest.startsWith(heading) && next.trim() === ''
    ? rest.slice(heading.length).trimStart()
    : text;
}

/** Removes empty lines, which would end the item of the list. */
const withoutEmptyLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');

const indented = (text: string): string => withoutEmptyLines(text).replaceAll('\n', '\n ');
