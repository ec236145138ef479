import type { FetchAnswer, FetchEvent, FetchRequest } from '@trawl/client';
import { failuresOf, pagesOf } from '@trawl/client/answers';
import { batchesOf, URLS_PER_REQUEST } from '@trawl/client/terminal/batches';
import {
  type CommandContext,
  listOf,
  runWithKey,
  wholeNumber,
} from '@trawl/client/terminal/command';
import type { Environment } from '@trawl/client/terminal/style';
import { withScheme } from '@trawl/contract/with-scheme';
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
import { acceptSpellings } from '../program/flags.ts';

/** `trawl fetch` */
export function addFetch(program: Command, environment: Environment): void {
  const command = program
    .command('fetch [urls...]')
    .description(`read pages by URL;${BATCH_HELP}`)
    .addOption(tierOption())
    .option('--providers <list>', 'comma list of the only providers to try, in this order')
    .addOption(new Option('--format <format>', 'format of the text').choices(['markdown', 'text']))
    .option('--max-chars <n>', 'print at most this many characters of each page')
    .option('--focus <query>', 'print only the passages of each page that fit this query best')
    .option('--max-age <seconds>', 'accept a cached page that is younger')
    .option('--no-cache', 'neither read nor write the page cache')
    .option('--max-cost <usd>', 'what each request may cost at most');
  addExecuteOptions(acceptSpellings(command, 'providers'))
    .addHelpText('after', '\nIn a pipe, standard output holds only the text of the pages.')
    .action((urls: string[], flags) => fetchPages(environment, urls, flags));
}

type FetchOptions = NonNullable<FetchRequest['options']>;

interface FetchFlags extends ExecuteFlags {
  readonly tier?: FetchOptions['tier'];
  readonly providers?: string;
  readonly format?: FetchOptions['content_format'];
  readonly maxChars?: string;
  readonly focus?: string;
  readonly maxAge?: string;
  /** false with `--no-cache`. */
  readonly cache?: boolean;
  readonly maxCost?: string;
}

/** `trawl fetch`: pages by URL. */
const fetchPages = (environment: Environment, args: readonly string[], flags: FetchFlags) =>
  runWithKey(environment, flags, async (context) => {
    const { showPage } = await import('../client/page-text.ts');
    const { client, signal } = context;
    const options = optionsOf(flags);
    const given = await readItems('URL', args, flags.file, signal);
    const urls = given.map((url) => withScheme(url) ?? url);
    const requestOf = (batch: readonly string[], session: string | undefined): FetchRequest => ({
      urls: batch,
      options,
      ...(session === undefined ? {} : { session_id: session }),
    });
    const job: BatchJob<FetchEvent, FetchAnswer> = {
      items: 'pages',
      batches: batchesOf(urls, URLS_PER_REQUEST),
      plan: (...batch) => client.fetchDryRun(requestOf(...batch), { signal }),
      ask: (...batch) => events(context, flags, requestOf(...batch)),
      answerOf: (event) => (event.type === 'done' ? event.answer : undefined),
      indexOf: (event, batch) =>
        event.type === 'page' ? batch.indexOf(event.page.url) : undefined,
      show: (event) => {
        if (event.type === 'page') showPage(context, flags, event.page, urls.length > 1);
      },
      count: (answer) => ({
        all: pagesOf(answer).length,
        failures: failuresOf(answer).filter(({ url }) => url !== undefined),
      }),
    };
    return runBatches(context, flags, job);
  });

async function* events(
  { client, signal }: CommandContext,
  flags: FetchFlags,
  request: FetchRequest,
): AsyncGenerator<FetchEvent> {
  if (flags.json) yield { type: 'done', answer: await client.fetch(request, { signal }) };
  else yield* client.fetchStream(request, { signal });
}

function optionsOf({ format, focus, ...flags }: FetchFlags): FetchOptions {
  const providers = listOf('--providers', flags.providers);
  // lower tiers have no passages
  const tier = flags.tier ?? (focus === undefined ? undefined : 'extended');
  return {
    ...(tier ? { tier } : {}),
    ...(focus === undefined ? {} : { focus: { query: focus } }),
    ...(format ? { content_format: format } : {}),
    ...(providers ? { providers } : {}),
    ...costOptions(flags),
    ...(flags.maxChars === undefined
      ? {}
      : { inline_max_chars: wholeNumber('--max-chars', flags.maxChars) }),
  };
}
