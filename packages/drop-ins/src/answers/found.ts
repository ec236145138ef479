import type {
  FetchOutput,
  InteractionResponse,
  JsonObject,
  PreprocessorRun,
  ResultRow,
  SearchOutput,
} from '@trawl/contract';
import { list, object } from '@trawl/providers';
import type { Fetched, FoundPage, FoundRows } from '../declaration/declaration.ts';

/** A row of `rank_fusion`, as far as it is used here. */
interface FusedRow {
  readonly url: string;
  readonly title: string | null;
  readonly score: number;
  readonly sources: readonly {
    readonly provider: string;
    readonly rank: number;
    readonly run_id: string;
  }[];
}

interface SearchRun {
  readonly run: PreprocessorRun;
  readonly output: SearchOutput;
}

const searchRuns = (answer: InteractionResponse): readonly SearchRun[] =>
  answer.preprocessor_runs.flatMap((run) => {
    const output = run.output_payload;
    return output !== null && 'results' in output ? [{ run, output }] : [];
  });

/** The merged list of a search with `rank_fusion`, and what else its runs brought. */
export function foundOf(answer: InteractionResponse, slug: string): FoundRows {
  const runs = searchRuns(answer);
  const [fusion] = answer.postprocessor_runs;
  const fused = list(object(fusion?.output_payload).results) as readonly FusedRow[];
  const outputs = runs.map(({ output }) => output);
  const own = runs.find(({ run }) => run.preprocessor_name === slug)?.output;
  return {
    ...recorded(answer, outputs),
    query: answer.preprocessor_runs[0]?.query ?? '',
    pages: fused.map((row) => pageOf(row, runs)),
    held: fused.length,
    answer: outputs.find((output) => output.answer)?.answer?.text ?? null,
    related: [...new Set(outputs.flatMap((output) => output.related ?? []))],
    images: list(object(own?.verticals).images),
    ownUnits: object(own?.usage?.units),
    failed: answer.preprocessor_runs.flatMap(({ preprocessor_name: provider, error }) =>
      error === null ? [] : [{ provider, code: error.code }],
    ),
  };
}

/** Texts of one row, its best; what that row lacks is taken from the others, best first. */
function pageOf(fused: FusedRow, runs: readonly SearchRun[]): FoundPage {
  const rows = fused.sources
    .toSorted((a, b) => a.rank - b.rank)
    .flatMap(({ run_id }) => {
      const results = runs.find(({ run }) => run.id === run_id)?.output.results ?? [];
      return results.find(({ url }) => url === fused.url) ?? [];
    });
  const first = <Key extends keyof ResultRow>(key: Key) => rows.find((row) => row[key])?.[key];
  const enrichments: JsonObject = rows[0]?.enrichments ?? {};
  return {
    url: fused.url,
    title: fused.title,
    summary: first('summary') ?? null,
    excerpt: first('excerpt') ?? null,
    full_content: first('full_content') ?? null,
    publish_date: first('publish_date') ?? null,
    thumbnail: first('thumbnail') ?? null,
    favicon: first('favicon') ?? null,
    author: rows.find((row) => row.source?.author)?.source?.author ?? null,
    enrichments,
    score: fused.score,
    finds: fused.sources.map(({ provider, rank }) => ({ provider, rank })),
  };
}

/** The rows of a fetch. */
export function fetchedOf(answer: InteractionResponse): Fetched {
  const rows = answer.preprocessor_runs.flatMap(({ output_payload: output }) =>
    isFetchOutput(output) ? output.fetched_results : [],
  );
  return { ...recorded(answer, rows), rows };
}

const isFetchOutput = (output: PreprocessorRun['output_payload']): output is FetchOutput =>
  output !== null && 'fetched_results' in output;

function recorded(
  answer: InteractionResponse,
  used: readonly { readonly usage?: SearchOutput['usage'] }[],
) {
  const costs = used.map(({ usage }) => usage?.cost_usd ?? null);
  const total = costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0);
  return {
    id: answer.interaction_id,
    completedAt: answer.completed_at,
    seconds: (Date.parse(answer.completed_at) - Date.parse(answer.created_at)) / 1_000,
    // a sum of which a part is not known would be too low
    costUsd: costs.length > 0 && costs.every((cost) => cost !== null) ? micro(total) : null,
  };
}

/** Without the noise of adding fractions. */
const micro = (usd: number): number => Math.round(usd * 1e6) / 1e6;

/**
 * What a later page of a search finds where its vendor does not run: nothing is asked, and nothing
 * recorded.
 */
export const noMoreRows = (query: string): FoundRows => ({
  id: '',
  seconds: 0,
  completedAt: '',
  costUsd: null,
  query,
  pages: [],
  held: 0,
  answer: null,
  related: [],
  images: [],
  ownUnits: {},
  failed: [],
});
