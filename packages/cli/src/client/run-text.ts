import { type AppliedFilters, type FusedRow, rowsOf, type SearchRun } from '@trawl/client';
import type { CommandContext } from '@trawl/client/terminal/command';
import { counted, note, print } from '@trawl/client/terminal/output';
import { oneLine, type Style } from '@trawl/client/terminal/style';
import { grouped } from '@trawl/client/text';

interface ShownRun {
  readonly flags: { readonly merge?: boolean };
  /** Of its query in a batch; undefined for a single query. */
  readonly number: number | undefined;
}

/**
 * Where standard output is not a terminal, it holds only the results. With `--merge` they follow
 * all runs.
 */
export function showRun(
  { out, err }: CommandContext,
  run: SearchRun,
  { flags, number }: ShownRun,
): void {
  if (out.isTerminal) print(runHead(run, out, number));
  else if (err.isTerminal) note(runHead(run, err, number));
  if (!flags.merge) print(runRows(run, out));
}

/** The outcome of a run, in one line. @param number of its query in a batch */
function runHead(run: SearchRun, style: Style, number?: number): string {
  const { preprocessor_name: provider, latency_ms: latencyMs, output_payload: output, error } = run;
  const query = number === undefined ? '' : `  ${style.dim(`[${number}] ${oneLine(run.query)}`)}`;
  const time = latencyMs === null ? [] : [`${latencyMs} ms`];
  if (error !== null || output === null) {
    const message = oneLine(`${error?.code ?? 'unknown'}: ${error?.message ?? ''}`);
    return `${style.bad('✗')} ${style.bold(provider)}  ${[...time, message].join(', ')}${query}\n`;
  }
  const facts = [
    ...[...time, counted(output.results.length, 'result'), ...servedText(run)],
    ...notApplied(output.filters),
  ].join(', ');
  return `${style.good('✓')} ${style.bold(provider)}  ${facts}${query}\n`;
}

/**
 * The outcome of runs that failed, those of one cause in one line.
 * @param numberOf number of a run's query in a batch
 */
export function failedRuns(
  runs: readonly SearchRun[],
  style: Style,
  numberOf: (run: SearchRun) => number | undefined,
): string {
  return grouped(runs, (run) => `${run.error?.code} ${causeOf(run)}`)
    .map((group) => {
      const [first] = group;
      if (!first) return '';
      if (group.length === 1) return runHead(first, style, numberOf(first));
      const names = [...new Set(group.map((run) => run.preprocessor_name))].toSorted();
      const count = group.length > names.length ? ` (${group.length} runs)` : '';
      const reason = oneLine(`${first.error?.code}: ${causeOf(first)}`);
      return `${style.bad('✗')} ${style.bold(names.join(', '))}${count}  ${reason}\n`;
    })
    .join('');
}

/** The message of a failure without the name of the provider, with which it begins. */
const causeOf = ({ preprocessor_name: provider, error }: SearchRun): string =>
  String(error?.message ?? '').replace(`${provider} `, '');

/** Of a recorded answer: nothing was asked. The cost of all is in the last line. */
const servedText = ({ cache }: SearchRun): readonly string[] =>
  cache && cache.state !== 'miss'
    ? [`${cache.state === 'hit' ? 'recorded' : 'shared'}, ${cache.age_seconds ?? 0} s old`]
    : [];

/** The filters that a provider could not apply. */
function notApplied(filters: AppliedFilters = {}): readonly string[] {
  const names = Object.entries(filters).flatMap(([name, how]) =>
    how === 'unsupported' ? [name] : [],
  );
  return names.length > 0 ? [`not filtered by ${names.join(', ')}`] : [];
}

/**
 * The rows of a run: a list on a terminal, elsewhere lines of query, provider, rank, url, title and
 * summary.
 */
function runRows(run: SearchRun, style: Style): string {
  const rows = rowsOf({ preprocessor_runs: [run] });
  if (style.isTerminal) {
    return rows
      .map(({ rank, title, url, summary, excerpt }) =>
        [
          `${String(rank).padStart(4)}  ${oneLine(title ?? url ?? '(no title or URL)')}`,
          ...(url ? [`      ${style.dim(oneLine(url))}`] : []),
          ...indented(summary ?? excerpt),
        ]
          .map((line) => `${line}\n`)
          .join(''),
      )
      .join('');
  }
  return rows
    .map(({ query, provider, rank, url, title, summary }) =>
      [query, provider, String(rank), url ?? '', title ?? '', summary ?? '']
        .map(oneLine)
        .join('\t')
        .concat('\n'),
    )
    .join('');
}

/**
 * The merged rows of a query: a list on a terminal, elsewhere the same lines as those of runs, with
 * all providers and their ranks instead of the provider.
 * @param number of the query in a batch
 */
export function mergedRows(
  rows: readonly FusedRow[],
  style: Style,
  { query, number }: { readonly query: string; readonly number?: number | undefined },
): string {
  const foundBy = ({ sources }: FusedRow, separator: string) =>
    sources.map(({ provider, rank }) => `${provider} #${rank}`).join(separator);
  if (!style.isTerminal) {
    return rows
      .map((row) =>
        [query, foundBy(row, ','), String(row.rank), row.url, row.title ?? '', row.summary ?? '']
          .map(oneLine)
          .join('\t')
          .concat('\n'),
      )
      .join('');
  }
  return rows
    .map((row) =>
      [
        ...(number !== undefined && row.rank === 1
          ? [style.dim(`[${number}] ${oneLine(query)}`)]
          : []),
        `${String(row.rank).padStart(4)}  ${oneLine(row.title ?? row.url)}`,
        `      ${style.dim(oneLine(row.url))}`,
        `      ${style.dim(`found by ${foundBy(row, ', ')}`)}`,
        ...indented(row.summary ?? row.excerpt),
      ]
        .map((line) => `${line}\n`)
        .join(''),
    )
    .join('');
}

const SUMMARY_CHARACTERS = 200;

function indented(text: string | null | undefined): readonly string[] {
  const points = [...oneLine(text ?? '')];
  if (points.length === 0) return [];
  const isCut = points.length > SUMMARY_CHARACTERS;
  return [`      ${points.slice(0, SUMMARY_CHARACTERS).join('')}${isCut ? '…' : ''}`];
}
