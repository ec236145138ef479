import { distinctTexts } from '@trawl/client/text';
import type {
  FetchRow,
  FoundSource,
  FusedRow,
  InteractionResponse,
  LeftOutReason,
  ResultRow,
} from '@trawl/contract';
import { comparableUrl } from '@trawl/providers';
import type { z } from 'zod';
import type { RecordedContext } from '../interaction/records.ts';

type MergedRow = z.output<typeof FusedRow>;

/** A page that may be a source of a context. */
export interface Material extends FoundSource {
  /** What it says, as recorded: its text, or the texts of its rows. */
  readonly texts: readonly string[];
}

export interface LeftOutPage {
  readonly url: string;
  readonly reason: LeftOutReason;
}

/** The pages of a context and of what its search found, best first. */
export interface Materials {
  readonly sources: readonly Material[];
  /** Pages that were wanted and are not there, and those that were seen before. */
  readonly leftOut: readonly LeftOutPage[];
}

/** Says why a wanted page was not asked for. */
export type WhyNotAsked = (url: string) => LeftOutReason;

/** The merged rows of the search, best first. */
export const rowsOf = ({ merged }: InteractionResponse): readonly MergedRow[] =>
  merged?.[0]?.rows ?? [];

/** The URLs of the best pages that are not seen yet. */
export const wantedUrls = (
  search: InteractionResponse,
  { max_pages }: RecordedContext,
): readonly string[] =>
  rowsOf(search)
    .slice(0, max_pages)
    .map(({ url }) => url);

/** What two records hold for a context. `pages`: null = none was asked for. */
export function materialsOf(
  search: InteractionResponse,
  pages: InteractionResponse | null,
  asked: RecordedContext,
  whyNotAsked: WhyNotAsked,
): Materials {
  const fetched = new Map(fetchedRows(pages).map((row) => [row.url, row]));
  const wanted = new Set(wantedUrls(search, asked));
  const rows = rowTexts(search);
  const sources = rowsOf(search).map((row) => {
    const page = fetched.get(row.url);
    return hasText(page) ? pageSource(row, page) : rowSource(row, rows.get(row.url) ?? []);
  });
  const missing = [...wanted].flatMap((url) => {
    const page = fetched.get(url);
    if (hasText(page)) return [];
    return [{ url, reason: page ? reasonOf(page) : whyNotAsked(url) }];
  });
  return { sources, leftOut: [...seenUrls(search, rows), ...missing] };
}

/** The pages that a fetch has; those of a failed one are in its error. */
function fetchedRows(pages: InteractionResponse | null): readonly FetchRow[] {
  const [run] = pages?.preprocessor_runs ?? [];
  if (!run) return [];
  const { output_payload: output, error } = run;
  if (output && 'fetched_results' in output) return output.fetched_results;
  const failed: unknown = error?.rows;
  // as `unavailableError` wrote them
  return Array.isArray(failed) ? (failed as FetchRow[]) : [];
}

const LATE = new Set(['timeout', 'cancelled']);
const REFUSED = new Set(['forbidden_address', 'declined']);

function reasonOf({ error }: FetchRow): LeftOutReason {
  const code = error?.code ?? '';
  if (LATE.has(code)) return 'time';
  if (code === 'over_cost') return 'cost';
  return REFUSED.has(code) || error?.rule !== undefined ? 'refused' : 'failed';
}

/** Whether a page was read. A text that came with a failure is not that of the page. */
export const hasText = (page: FetchRow | undefined): page is FetchRow =>
  page?.status === 'succeeded' && Boolean(page.content);

/** A source whose page was read. */
export const pageSource = (row: MergedRow, page: FetchRow): Material => ({
  url: row.url,
  title: page.title ?? row.title,
  publish_date: page.publish_date ?? row.publish_date,
  providers: foundBy(row),
  text_from: 'page',
  fetched_by: page.provider,
  content_sha256: page.content_sha256 ?? null,
  findings: page.findings ?? [],
  texts: page.content ? [page.content] : [],
});

const rowSource = (row: MergedRow, texts: readonly string[]): Material => ({
  url: row.url,
  title: row.title,
  publish_date: row.publish_date,
  providers: foundBy(row),
  text_from: 'row',
  fetched_by: null,
  content_sha256: null,
  findings: [],
  texts,
});

const foundBy = ({ sources }: MergedRow): FoundSource['providers'] =>
  sources.map(({ provider, rank }) => ({ provider, rank }));

/** The texts of all rows of each URL, whole as recorded, so that each passage can be quoted. */
function rowTexts(search: InteractionResponse): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  for (const { url, full_content, excerpt, summary } of resultRows(search)) {
    if (url === undefined) continue;
    const own = [full_content, excerpt, summary].filter((text) => typeof text === 'string');
    texts.set(url, [...(texts.get(url) ?? []), ...own]);
  }
  return new Map([...texts].map(([url, all]) => [url, distinctTexts(all, false)]));
}

const resultRows = ({ preprocessor_runs: runs }: InteractionResponse): readonly ResultRow[] =>
  runs.flatMap(({ output_payload: output }) =>
    output && 'results' in output ? output.results : [],
  );

/** Found pages that the merged list leaves out, since the session had seen them. */
function seenUrls(
  search: InteractionResponse,
  rows: ReadonlyMap<string, unknown>,
): readonly LeftOutPage[] {
  if (search.merged?.[0]?.seen === undefined) return [];
  const fresh = new Set(rowsOf(search).map(({ url }) => url));
  return [...rows.keys()].filter((url) => !fresh.has(url)).map((url) => ({ url, reason: 'seen' }));
}

/** The comparable URLs of all rows and pages that an answer gave. */
export function givenUrls(answer: InteractionResponse): readonly string[] {
  const found = resultRows(answer).flatMap(({ url }) => url ?? []);
  const read = fetchedRows(answer).flatMap(({ url, status }) =>
    status === 'succeeded' ? (comparableUrl(url)?.url ?? url) : [],
  );
  return [...found, ...read];
}
