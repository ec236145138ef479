import type {
  SearchAnswer,
  SearchEvent,
  SearchFilters,
  SearchRequest,
  SearchRun,
} from '@trawl/client';
import { failuresOf } from '@trawl/client/answers';
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
import { SAFE_SEARCH } from '@trawl/contract/filters';
import { LIMITS } from '@trawl/contract/limits';
import { type Command, Option } from 'commander';
import {
  addExecuteOptions,
  BATCH_HELP,
  type BatchJob,
  type ExecuteFlags,
  runBatches,
  tierOption,
} from '../client/batches.ts';
import { costOptions } from '../client/cost-options.ts';
import { readItems } from '../client/lines.ts';
import { acceptSpellings, collect } from '../program/flags.ts';

/** `trawl search` */
export function addSearch(program: Command, environment: Environment): void {
  const command = program
    .command('search [queries...]')
    .description(`search the web; each argument is a query,${BATCH_HELP}`)
    .addOption(tierOption())
    .option('--num-results <n>', 'results per provider')
    .option('--include <list>', 'comma list of the providers to ask')
    .option('--exclude <list>', 'comma list of providers to leave out')
    .option('--fields <list>', 'comma list of result fields, instead of a tier')
    .option(
      '--site <hosts>',
      'only these sites and their subdomains; comma list, repeatable',
      collect,
    )
    .option('--not-site <hosts>', 'not these sites; comma list, repeatable', collect)
    .option('--since <date>', 'published on this day (YYYY-MM-DD) or later')
    .option('--until <date>', 'published on this day or earlier')
    .option('--country <code>', 'country of the search, two letters')
    .option('--lang <code>', 'language of the pages, two letters')
    .addOption(new Option('--safe <degree>', 'leave out adult content').choices(SAFE_SEARCH))
    .option('--strict-filters', 'leave out providers that cannot apply all of these filters')
    .option('--full-content', 'include the whole text of pages')
    .option('--no-full-content', 'leave page text out, even if the settings ask for it')
    .option('--economy', 'ask providers with several modes for their cheapest ordinary one')
    .option('--auto-routing', "let the server choose providers by the query's topic")
    .option('--no-auto-routing', 'turn auto-routing off, even if the settings turn it on')
    .option(
      '--fallback <choice>',
      'what to ask when all providers fail: auto (the default), off, or a comma list of providers',
    )
    .option('--merge', 'one list per query, each page once, with who found it at which rank')
    .option('--only-new', 'leave pages that the session has seen out of the merged list')
    .option('--max-age <seconds>', 'accept a recorded answer to an equal search that is younger')
    .option('--no-cache', 'ask the providers, even if recorded answers are served')
    .option('--max-cost <usd>', 'what each request may cost at most');
  addExecuteOptions(acceptSpellings(command, 'include'))
    .addHelpText(
      'after',
      '\nIn a pipe, each result is one line: query, provider, rank, URL, title and summary, separated by tabs.',
    )
    .action((queries: string[], flags) => search(environment, queries, flags));
}

interface SearchFlags extends ExecuteFlags {
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
const search = (environment: Environment, args: readonly string[], flags: SearchFlags) =>
  runWithKey(environment, flags, async (context) => {
    const { failedRuns, mergedRows, showRun } = await import('../client/run-text.ts');
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
