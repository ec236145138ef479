import { readFile } from 'node:fs/promises';
import type { NewWatch, WatchDryRun } from '@trawl/client';
import { loadSettings, searchOptions } from '@trawl/client/settings';
import { type CommonFlags, listOf, runWithKey, wholeNumber } from '@trawl/client/terminal/command';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { CommandError } from '@trawl/client/terminal/failure';
import { costText, note, print, printJson } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import { processTerminal } from '@trawl/client/terminal/terminal';
import { LIMITS } from '@trawl/contract/limits';
import type { Command } from 'commander';
import { planText } from '../client/plan-text.ts';
import { ageMinutes, everyOf } from '../client/watches.ts';
import { API_JSON, acceptSpellings } from '../program/flags.ts';

/** `trawl watch add` */
export function addWatchAdd(watch: Command, environment: Environment): void {
  const add = watch
    .command('add [queries...]')
    .description('watch a search, or pages with --url; prints the id of the watch')
    .requiredOption('--every <time>', 'time from run to run, such as 15m, 1h or 2d; 15m at least')
    .option('--name <label>', 'a name for people')
    .option('--url <url...>', 'pages to read, instead of queries')
    .option('--include <list>', 'comma list of the providers to ask')
    .option('--num-results <n>', 'results per provider')
    .option('--request <file>', 'file with the JSON body of a search or a fetch, with all options')
    .option('--dry-run', 'show what each run would call and cost; nothing is made')
    .option('--yes', 'make it without a question')
    .option('--json', API_JSON)
    .action((queries: string[], flags) => addWatch(environment, queries, flags));
  acceptSpellings(add, 'include');
}

interface AddFlags extends CommonFlags {
  readonly every: string;
  readonly name?: string;
  readonly url?: readonly string[];
  readonly include?: string;
  readonly numResults?: string;
  readonly request?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** A search, or pages, to ask for again and again. Its price is shown first. */
const addWatch = (environment: Environment, queries: readonly string[], flags: AddFlags) =>
  runWithKey(environment, flags, async (context) => {
    const { client, signal } = context;
    const { name } = flags;
    const watch = {
      ...(name === undefined ? {} : { name }),
      interval_minutes: minutesOf('--every', flags.every),
      ...(await requestOf(environment, queries, flags)),
    };
    const plan = await client.createWatchDryRun(watch, { signal });
    if (flags.dryRun) {
      if (flags.json) printJson(plan);
      else print(await planText(context, plan, queries));
      note(priceOf(plan));
      return EXIT.ok;
    }
    note(priceOf(plan));
    // a script has no terminal to ask on, and named what it wants
    if (!flags.yes && (await processTerminal.confirm('Make this watch?')) === false) {
      throw new CommandError(EXIT.usage, 'usage', 'not made');
    }
    const made = await client.createWatch(watch, { signal });
    if (flags.json) printJson(made);
    else {
      note(`session ${made.session_id}; the first run follows within seconds\n`);
      print(`${made.id}\n`);
    }
    return EXIT.ok;
  });

const priceOf = ({ total_usd, runs_per_day, usd_per_day }: WatchDryRun): string =>
  `each run costs about ${costText(total_usd)}: ${runs_per_day} a day for about ${costText(usd_per_day)}\n`;

type Request = Pick<NewWatch, 'search' | 'fetch'>;

async function requestOf(
  environment: Environment,
  queries: readonly string[],
  flags: AddFlags,
): Promise<Request> {
  const { url: urls, request } = flags;
  const given = [queries.length > 0, urls !== undefined, request !== undefined];
  if (given.filter(Boolean).length !== 1) {
    const message = 'name what to watch: queries, pages with --url, or a body with --request';
    throw new CommandError(EXIT.usage, 'usage', message);
  }
  if (request !== undefined) return readRequest(request);
  if (urls !== undefined) return { fetch: { urls } };
  const include = listOf('--include', flags.include);
  const options = searchOptions(loadSettings({ environment }).settings, {
    ...(include ? { providers: { include } } : {}),
    ...(flags.numResults === undefined
      ? {}
      : { num_results: wholeNumber('--num-results', flags.numResults, LIMITS.resultsMax) }),
  });
  const [query = ''] = queries;
  const input = queries.length === 1 ? { query } : queries.map((one) => ({ query: one }));
  return { search: { user_input: input, search: options } };
}

/** The body of a search has a `user_input`, that of a fetch has `urls`. The server checks it. */
async function readRequest(path: string): Promise<Request> {
  const fault = (what: string) =>
    new CommandError(EXIT.usage, 'usage', `--request ${path}: ${what}`);
  const text = await readFile(path, 'utf8').catch(() => {
    throw fault('it cannot be read');
  });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw fault('it is not JSON');
  }
  if (typeof body !== 'object' || body === null) throw fault('it is not a JSON object');
  if ('urls' in body) return { fetch: body as NonNullable<Request['fetch']> };
  if ('user_input' in body) return { search: body as NonNullable<Request['search']> };
  throw fault('it has neither "user_input", as a search has, nor "urls", as a fetch has');
}

function minutesOf(flag: string, text: string): number {
  const minutes = ageMinutes(text);
  const { watchMinutesMin: least, watchMinutesMax: most } = LIMITS;
  if (minutes !== undefined && minutes >= least && minutes <= most) return minutes;
  const range = `from ${everyOf(least)} to ${everyOf(most)}`;
  const message = `${flag} takes minutes, hours or days ${range}, such as 1h, not "${text}"`;
  throw new CommandError(EXIT.usage, 'usage', message);
}
