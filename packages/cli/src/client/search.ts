import {
  failuresOf,
  type SearchAnswer,
  type SearchEvent,
  type SearchFilters,
  type SearchRequest,
  type SearchRun,
} from '@trawl/client';
import { loadSettings, type PerCallOptions, searchOptions } from '@trawl/client/settings';
import { batchesOf } from '@trawl/client/terminal/batches';
import {
  type CommandContext,
  listOf,
  runWithKey,
  wholeNumber,
} from '@trawl/client/terminal/command';
import { note, print } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import type { SAFE_SEARCH } from '@trawl/contract/filters';
import { LIMITS } from '@trawl/contract/limits';
import { type BatchJob, type ExecuteFlags, runBatches } from './batches.ts';
import { costOptions } from './cost-options.ts';
import { readItems } from './lines.ts';
import { failedRuns, mergedRows, runHead, runRows } from './run-text.ts';

export interface SearchFlags extends ExecuteFlags {
  readonly tier?: PerCallOptions['tier'];
  readonly numResults?: string;
  readonly include?: string;
  readonly exclude?: string;
  readonly fields?: string;
  readonly fullContent?: boolean;
  readonly economy?: boolean;
  readonly autoRouting?: boolean;
  readonly fallback?: string;
  readonly merge?: boolean;
  readonly onlyNew?: boolean;
  readonly maxAge?: string;
  /** false with `--no-cache`. */
  readonly cache?: boolean;
  readonly maxCost?: string;
  /** Each time the flag was given. */
  readonly site?: readonly string[];
  readonly notSite?: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly country?: string;
  readonly lang?: string;
  readonly safe?: (typeof SAFE_SEARCH)[number];
  readonly strictFilters?: boolean;
}

/** `trawl search`: one query or many, in as few requests as the limits of a request allow. */
export const search = (environment: Environment, args: readonly string[], flags: SearchFlags) =>
  runWithKey(environment, flags, async (context) => {
    const { client, signal } = context;
    const options = searchOptions(loadSettings({ environment }).settings, perCall(flags));
    const queries = await readItems('query', args, flags.file, signal);
    const isOne = queries.length === 1;
    const failed: SearchRun[] = [];
    const requestOf = (batch: readonly string[], session: string | undefined): SearchRequest => ({
      user_input: isOne ? { query: batch.join() } : batch.map((query) => ({ query })),
      search: {
        ...options,
        ...(flags.merge ? { merge: true } : {}),
        ...(flags.onlyNew ? { novelty: 'session' } : {}),
      },
      ...(session === undefined ? {} : { session_id: session }),
    });
    const job: BatchJob<SearchEvent, SearchAnswer> = {
      items: 'queries',
      batches: batchesOf(queries, batchSize(options.num_results ?? LIMITS.resultsDefault)),
      plan: (...batch) => client.searchDryRun(requestOf(...batch), { signal }),
      ask: (...batch) => events(context, flags, requestOf(...batch)),
      answerOf: (event) => (event.type === 'done' ? event.answer : undefined),
      indexOf: (event) => (event.type === 'run' ? event.run.batch_index : undefined),
      show: (event, before) => {
        const numberOf = (run: SearchRun) => (isOne ? undefined : before + run.batch_index + 1);
        if (event.type === 'run') {
          if (event.run.status === 'failed') failed.push(event.run);
          else showRun(context, event.run, { flags, number: numberOf(event.run) });
          return;
        }
        const say = context.out.isTerminal ? print : note;
        say(
          failedRuns(
            failed.splice(0),
            context.out.isTerminal ? context.out : context.err,
            numberOf,
          ),
        );
        const { merged = [], preprocessor_runs: runs } = event.answer;
        for (const { batch_index: index, rows } of merged) {
          const query = runs.find((run) => run.batch_index === index)?.query ?? '';
          const number = isOne ? undefined : before + index + 1;
          print(mergedRows(rows, context.out, { query, number }));
        }
      },
      count: (answer) => ({
        all: answer.preprocessor_runs.length,
        failures: failuresOf(answer),
      }),
    };
    return runBatches(context, flags, job);
  });

/** How many queries fit into one request, by the limits on queries and on their results. */
const batchSize = (numResults: number): number =>
  Math.max(1, Math.min(LIMITS.queriesPerBatch, Math.floor(LIMITS.volumeBudget / numResults)));

/** JSON output needs no stream, and a plain request is retried when the connection breaks. */
async function* events(
  { client, signal }: CommandContext,
  flags: SearchFlags,
  request: SearchRequest,
): AsyncGenerator<SearchEvent> {
  if (!flags.json) yield* client.searchStream(request, { signal });
  else yield { type: 'done', answer: await client.search(request, { signal }) };
}

interface ShownRun {
  readonly flags: SearchFlags;
  /** Of its query in a batch; undefined for a single query. */
  readonly number: number | undefined;
}

/**
 * Where standard output is not a terminal, it holds only the results. With `--merge` they follow
 * all runs.
 */
function showRun({ out, err }: CommandContext, run: SearchRun, { flags, number }: ShownRun): void {
  if (out.isTerminal) print(runHead(run, out, number));
  else if (err.isTerminal) note(runHead(run, err, number));
  if (!flags.merge) print(runRows(run, out));
}

function perCall(flags: SearchFlags): PerCallOptions {
  const { autoRouting, economy, fullContent, numResults, tier } = flags;
  const include = listOf('--include', flags.include);
  const exclude = listOf('--exclude', flags.exclude);
  const fields = listOf('--fields', flags.fields);
  const filters = filtersOf(flags);
  return {
    tier,
    fallback: fallbackOf(flags.fallback),
    // the server checks the names
    fields: fields as PerCallOptions['fields'],
    ...(numResults === undefined
      ? {}
      : { num_results: wholeNumber('--num-results', numResults, LIMITS.resultsMax) }),
    ...(filters ? { filters } : {}),
    ...(include || exclude ? { providers: { include, exclude } } : {}),
    ...(autoRouting === undefined ? {} : { auto_routing: autoRouting ? 'accuracy' : 'off' }),
    ...(fullContent === undefined ? {} : { include_full_content: fullContent }),
    ...(economy === undefined ? {} : { economy }),
    ...costOptions(flags),
  };
}

/** A person wants an answer, so `auto` unless the flag says otherwise. */
function fallbackOf(flag: string | undefined): PerCallOptions['fallback'] {
  if (flag === undefined || flag === 'auto' || flag === 'off') return flag ?? 'auto';
  return listOf('--fallback', flag);
}

/** The filters of the flags; undefined without any. The server checks their values. */
function filtersOf(flags: SearchFlags): SearchFilters | undefined {
  const { site, notSite, since, until, country, lang, safe, strictFilters } = flags;
  const filters = {
    include_domains: listOf('--site', site?.join()),
    exclude_domains: listOf('--not-site', notSite?.join()),
    published_after: since,
    published_before: until,
    country,
    language: lang,
    safe_search: safe,
  };
  const isEmpty = Object.values(filters).every((value) => value === undefined);
  return isEmpty ? undefined : { ...filters, ...(strictFilters ? { mode: 'strict' } : {}) };
}
