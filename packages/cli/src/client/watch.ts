import { readFile } from 'node:fs/promises';
import type { NewWatch, Watch, WatchDryRun } from '@trawl/client';
import { loadSettings, searchOptions } from '@trawl/client/settings';
import {
  type CommandContext,
  type CommonFlags,
  listOf,
  runWithKey,
  wholeNumber,
} from '@trawl/client/terminal/command';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { CommandError } from '@trawl/client/terminal/failure';
import { aligned, costText, note, print, printJson } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import { processTerminal } from '@trawl/client/terminal/terminal';
import { LIMITS } from '@trawl/contract/limits';
import { rowsText } from '../program/table.ts';
import { idOf } from './named.ts';
import { planText } from './plan-text.ts';

export interface AddFlags extends CommonFlags {
  readonly every: string;
  readonly name?: string;
  readonly url?: readonly string[];
  readonly include?: string;
  readonly numResults?: string;
  readonly request?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `trawl watch add`: a search, or pages, to ask for again and again. Its price is shown first. */
export const addWatch = (environment: Environment, queries: readonly string[], flags: AddFlags) =>
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
      else print(planText(context, plan, queries));
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

/** `trawl watch run`: one run now. */
export const runWatch = (
  environment: Environment,
  id: string,
  flags: CommonFlags & { readonly dryRun?: boolean },
) =>
  runWithKey(environment, flags, async (context) => {
    const { client, signal } = context;
    const watch = await watchOf(context, id);
    if (flags.dryRun) {
      const plan = await client.runWatchDryRun(watch, { signal });
      if (flags.json) printJson(plan);
      else print(planText(context, plan));
      return EXIT.ok;
    }
    const ran = await client.runWatch(watch, { signal });
    if (flags.json) printJson(ran);
    else print(`${ran.interaction_id}\n`);
    return EXIT.ok;
  });

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

/** `trawl watch list` */
export const listWatches = (environment: Environment, flags: CommonFlags) =>
  runWithKey(environment, flags, async ({ client, out, signal }) => {
    const watches: Watch[] = [];
    for await (const watch of client.watches({}, { signal })) watches.push(watch);
    if (flags.json) printJson({ watches });
    else {
      const rows = watches.map((watch) => [
        watch.id,
        labelOf(watch),
        stateOf(watch),
        everyOf(watch.interval_minutes),
        watch.last_run_at ?? '',
        watch.last_status ?? '',
        String(watch.news_count),
      ]);
      print(rowsText(out, COLUMNS, rows));
    }
    return EXIT.ok;
  });

const COLUMNS = [
  ['watch', 38],
  ['asks for', 0.99],
  ['state', 20],
  ['every', 7],
  ['last run (UTC)', 26],
  ['status', 11],
  ['news', 6],
] as const;

/** `trawl watch show` */
export const showWatch = (environment: Environment, id: string, flags: CommonFlags) =>
  runWithKey(environment, flags, async (context) => {
    const watch = await watchOf(context, id);
    print(shown(await context.client.readWatch(watch, { signal: context.signal }), flags));
    return EXIT.ok;
  });

/** `trawl watch pause` and `trawl watch resume` */
export const setState = (
  environment: Environment,
  id: string,
  flags: CommonFlags & { readonly state: 'active' | 'paused' },
) =>
  runWithKey(environment, flags, async (context) => {
    const { client, signal } = context;
    const watch = await watchOf(context, id);
    print(shown(await client.changeWatch(watch, { state: flags.state }, { signal }), flags));
    return EXIT.ok;
  });

/** `trawl watch remove` */
export const removeWatch = (environment: Environment, id: string, flags: CommonFlags) =>
  runWithKey(environment, flags, async (context) => {
    const { client, signal } = context;
    await client.deleteWatch(await watchOf(context, id), { signal });
    note('removed; what its runs recorded stays in its session\n');
    return EXIT.ok;
  });

function shown(watch: Watch, flags: CommonFlags): string {
  if (flags.json) return `${JSON.stringify(watch)}\n`;
  const error = watch.last_error === null ? '' : `: ${watch.last_error.message}`;
  const rows = [
    ['watch', watch.id],
    ['asks for', labelOf(watch)],
    ['state', stateOf(watch)],
    ['every', everyOf(watch.interval_minutes)],
    ['session', watch.session_id],
    ['key', watch.key_id],
    ['next run', watch.next_run_at ?? 'none'],
    ['last run', watch.last_run_at ?? 'none'],
    ['status', watch.last_status === null ? 'none' : `${watch.last_status}${error}`],
    ['failures in a row', String(watch.failures)],
    ['news', String(watch.news_count)],
  ];
  // a terminal gets columns, another program tabs
  return process.stdout.isTTY
    ? `${aligned(rows).join('\n')}\n`
    : rowsText({ isTerminal: false }, [], rows);
}

/** The id of a watch that is named by its id, its name, or what it asks for. */
export const watchOf = ({ client, signal }: CommandContext, text: string): Promise<string> =>
  idOf(text, {
    noun: 'watch',
    list: 'watch list',
    async *all() {
      for await (const watch of client.watches({}, { signal })) {
        yield { id: watch.id, name: labelOf(watch) };
      }
    },
  });

/** Its name, or else its first query or page. */
function labelOf({ name, search, fetch }: Watch): string {
  if (name !== null) return name;
  const { user_input: input } = (search ?? {}) as { user_input?: unknown };
  const [query] = (Array.isArray(input) ? input : [input]) as { query?: string }[];
  const { urls } = (fetch ?? {}) as { urls?: readonly string[] };
  return query?.query ?? urls?.[0] ?? '';
}

const stateOf = ({ state, stop_reason: reason }: Watch): string =>
  reason === null ? state : `${state}: key ${reason}`;

const UNITS = { m: 1, h: 60, d: 1_440 } as const;
const AGE = /^([1-9]\d{0,4})([mhd])$/;

function everyOf(minutes: number): string {
  if (minutes % UNITS.d === 0) return `${minutes / UNITS.d}d`;
  return minutes % UNITS.h === 0 ? `${minutes / UNITS.h}h` : `${minutes}m`;
}

/** Minutes of `15m`, `1h` or `2d`; undefined for another text. */
export function ageMinutes(text: string): number | undefined {
  const [, count, unit] = AGE.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNITS[unit as keyof typeof UNITS];
}

function minutesOf(flag: string, text: string): number {
  const minutes = ageMinutes(text);
  const { watchMinutesMin: least, watchMinutesMax: most } = LIMITS;
  if (minutes !== undefined && minutes >= least && minutes <= most) return minutes;
  const range = `from ${everyOf(least)} to ${everyOf(most)}`;
  const message = `${flag} takes minutes, hours or days ${range}, such as 1h, not "${text}"`;
  throw new CommandError(EXIT.usage, 'usage', message);
}
