import type {
  ContextResponse,
  ContextSource,
  FetchOutput,
  FetchRow,
  InteractionResponse,
  JsonObject,
  PreprocessorRun,
  SearchOutput,
} from './types.ts';

/** The run of one query on one provider. */
export interface SearchRun extends Omit<PreprocessorRun, 'output_payload'> {
  /** null when the run failed. */
  output_payload: SearchOutput | null;
}

/** The run of a fetch. */
export interface FetchRun extends Omit<PreprocessorRun, 'output_payload'> {
  output_payload: FetchOutput | null;
}

/**
 * The answer of a search. With status 200, providers may still have failed: see `status`, or
 * `failures`.
 */
export interface SearchAnswer extends Omit<InteractionResponse, 'preprocessor_runs'> {
  preprocessor_runs: SearchRun[];
}

/** The answer of a fetch: one run, whose rows are the pages in the order sent. */
export interface FetchAnswer extends Omit<InteractionResponse, 'preprocessor_runs'> {
  preprocessor_runs: FetchRun[];
}

export type SearchEvent =
  | { readonly type: 'run'; readonly run: SearchRun }
  | { readonly type: 'done'; readonly answer: SearchAnswer };

export type FetchEvent =
  | { readonly type: 'page'; readonly page: FetchRow }
  | { readonly type: 'done'; readonly answer: FetchAnswer };

/** A source as soon as its text is there; its number and passages follow with the answer. */
export type FoundSource = Omit<ContextSource, 'n' | 'passages'>;

export type ContextEvent =
  | { readonly type: 'source'; readonly source: FoundSource }
  | { readonly type: 'done'; readonly answer: ContextResponse };

/** Anything with runs: an answer, an interaction that was read back, an entry of a full history. */
export interface HasRuns {
  readonly preprocessor_runs?: readonly PreprocessorRun[] | undefined;
}

export const isSearchOutput = (
  output: SearchOutput | FetchOutput | null | undefined,
): output is SearchOutput => output != null && 'results' in output;

export const isFetchOutput = (
  output: SearchOutput | FetchOutput | null | undefined,
): output is FetchOutput => output != null && 'fetched_results' in output;

/**
 * The pages of a fetch in the order sent. A page that could not be read is among them, so that
 * `pagesOf(answer)[i]` is `urls[i]`: its `status` is `failed`, its `content` is null and its
 * `error` says why.
 */
export const pagesOf = ({ preprocessor_runs: runs = [] }: HasRuns): FetchRow[] =>
  runs.flatMap(({ output_payload: output }) =>
    isFetchOutput(output) ? output.fetched_results : [],
  );

/** A row with its provider, query and run. */
export type FoundRow = SearchOutput['results'][number] & {
  readonly provider: string;
  /** Place in its run, from 1. Set even when `fields` leaves it out. */
  readonly rank: number;
  readonly query: string;
  readonly batch_index: number;
  readonly run_id: string;
};

/** All rows over all runs of a search, run by run in the answer's order. */
export const rowsOf = ({ preprocessor_runs: runs = [] }: HasRuns): FoundRow[] =>
  runs.flatMap((run) => {
    if (!isSearchOutput(run.output_payload)) return [];
    const { preprocessor_name: provider, query, batch_index, id: run_id } = run;
    return run.output_payload.results.map((row, index) => ({
      ...row,
      rank: row.rank ?? index + 1,
      provider,
      query,
      batch_index,
      run_id,
    }));
  });

/** A failed run, or a failed page of a fetch. */
export interface Failure {
  readonly provider: string | null;
  /** Only for a search. */
  readonly query?: string;
  /** Only for a fetch. */
  readonly url?: string;
  readonly code: string;
  readonly message: string;
  readonly error: JsonObject;
}

/** All failures of an answer; empty when everything succeeded. */
export const failuresOf = (answer: HasRuns): Failure[] => [
  ...(answer.preprocessor_runs ?? []).flatMap(({ preprocessor_name, query, error }) =>
    error === null ? [] : [{ ...failure(error), provider: preprocessor_name, query }],
  ),
  ...pagesOf(answer).flatMap(({ url, provider, error }) =>
    error === null ? [] : [{ ...failure(error), provider, url }],
  ),
];

const failure = (error: JsonObject) => ({
  code: String(error.code ?? 'unknown'),
  message: String(error.message ?? ''),
  error,
});

/** The same function under the name that the documentation uses. */
export const failures = failuresOf;

/** Whether every run failed, or every page of a fetch. False for an answer without runs. */
export function nothingSucceeded(answer: HasRuns): boolean {
  const { preprocessor_runs: runs = [] } = answer;
  const pages = pagesOf(answer);
  return (
    runs.length > 0 &&
    (runs.every(({ status }) => status === 'failed') ||
      (pages.length > 0 && pages.every(({ status }) => status === 'failed')))
  );
}
