import type { DryRun, FetchRow, FusedRow, SearchRun, VerifiedQuote } from '@trawl/client';
import { costText } from '@trawl/client/terminal/output';
import { oneLine, type Painter } from '@trawl/client/terminal/style';

/** What the demo asked and got. */
export interface DemoFacts {
  readonly query: string;
  /** The prices, asked for before the calls. */
  readonly searchPlan: DryRun;
  readonly fetchPlan: DryRun;
  readonly runs: readonly SearchRun[];
  readonly merged: readonly FusedRow[];
  readonly quotes: readonly (VerifiedQuote & { readonly text: string })[];
  readonly page: FetchRow | undefined;
}

const MERGED_SHOWN = 3;
const QUOTE_CHARACTERS = 80;
const LINE_CHARACTERS = 90;

/** The demo in some twenty lines: providers side by side, one list, quotes, a page, the price. */
export function demoText(facts: DemoFacts, bold: Painter): string {
  const { query, searchPlan, fetchPlan, runs, merged, quotes, page } = facts;
  const prices = new Map(searchPlan.calls.map((call) => [call.provider, call.cost_usd]));
  return [
    'SIMULATED: this machine makes up every title, text and price. Nothing left it, nothing was paid.',
    '',
    `${bold(`${runs.length} providers at once:`)} "${query}"`,
    ...runs.map((run) => `  ${runLine(run, prices.get(run.preprocessor_name))}`),
    bold('One list, each page once:'),
    ...merged.slice(0, MERGED_SHOWN).map((row) => `  ${mergedLine(row)}`),
    bold('Is the quote really there?'),
    ...quotes.map((quote) => `  ${quoteLine(quote)}`),
    bold('A page, from the first provider that has it:'),
    ...pageLines(page).map((line) => `  ${line}`),
    `${bold('The price, known before the calls:')} search ${costText(searchPlan.total_usd)}, page ${costText(fetchPlan.total_usd)}.`,
    '',
  ].join('\n');
}

function runLine({ error, ...run }: SearchRun, costUsd: number | null | undefined): string {
  const name = run.preprocessor_name.padEnd(14);
  if (error) return `${name} failed: ${oneLine(error.message)}`;
  const time = `${run.latency_ms ?? 0} ms`.padStart(7);
  const [first] = run.output_payload?.results ?? [];
  return `${name} ${time}  ${costText(costUsd)}  ${oneLine(first?.title ?? 'no title')}`;
}

function mergedLine({ rank, title, url, sources }: FusedRow): string {
  const found = sources.map((find) => `${find.provider} #${find.rank}`).join(', ');
  return `${rank}  ${oneLine(title ?? url)}  (${found})`;
}

function quoteLine({ text, status, distance }: DemoFacts['quotes'][number]): string {
  const cut = text.length > QUOTE_CHARACTERS ? `${text.slice(0, 45)}…${text.slice(-34)}` : text;
  const differs = status === 'near' ? `, ${distance} letters differ from the record` : '';
  return `${status.replace('_', ' ').padEnd(9)}  "${oneLine(cut)}"${differs}`;
}

function pageLines(page: FetchRow | undefined): readonly string[] {
  if (!page) return [];
  const { url, provider, latency_ms: latencyMs, content_length: length, content } = page;
  const [line = ''] = (content ?? '').split('\n').filter((each) => /^[^#\s]/.test(each));
  return [
    `${provider}  ${latencyMs} ms, ${length} characters of markdown: ${url}`,
    `| ${oneLine(line).slice(0, LINE_CHARACTERS)}…`,
  ];
}
