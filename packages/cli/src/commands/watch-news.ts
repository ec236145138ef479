import type { Watch, WatchNews } from '@trawl/client';
import {
  type CommandContext,
  type CommonFlags,
  runWithKey,
  wholeNumber,
} from '@trawl/client/terminal/command';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { note, print, printJson } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import { LIMITS } from '@trawl/contract/limits';
import type { Command } from 'commander';
import { ageMinutes, watchOf } from '../client/watches.ts';
import { API_JSONL } from '../program/flags.ts';
import { rowsText } from '../program/table.ts';

/** `trawl watch news` */
export function addWatchNews(watch: Command, environment: Environment): void {
  watch
    .command('news <watch>')
    .description('what a watch found that is new, the oldest first')
    .option('--after <place>', 'only after this number, time or day, or since 1d ago, say')
    .option('--limit <n>', 'show at most this many; all when absent')
    .option('--json', 'print JSON: one object with all of them')
    .option('--jsonl', API_JSONL)
    .action((id: string, flags) => showNews(environment, id, flags));
}

interface NewsFlags extends CommonFlags {
  readonly after?: string;
  readonly limit?: string;
}

/** What a watch found that is new, the oldest first. */
export const showNews = (environment: Environment, id: string, flags: NewsFlags) =>
  runWithKey(environment, flags, async (context) => {
    const news: WatchNews[] = [];
    const watch = await watchOf(context, id);
    for await (const item of newsOf(context, watch, flags)) {
      if (flags.jsonl) printJson(item);
      else news.push(item);
    }
    if (flags.json) printJson({ watch_id: watch, news });
    else if (news.length > 0) print(await rowsText(context.out, COLUMNS, news.map(rowOf)));
    else if (!flags.jsonl) note(nothingNew(await context.client.readWatch(watch), flags.after));
    return EXIT.ok;
  });

/** Since when there is nothing new, and when it looks again. */
function nothingNew(watch: Watch, after?: string): string {
  const { created_at, last_run_at, next_run_at, state } = watch;
  const since = after ?? minuteOf(created_at);
  const last = last_run_at === null ? 'it has not run yet' : `last run ${minuteOf(last_run_at)}`;
  const next =
    next_run_at === null ? `no next run: it is ${state}` : `next ${minuteOf(next_run_at)}`;
  return `nothing new since ${since}; ${last}, ${next} (UTC)\n`;
}

const minuteOf = (time: string): string => time.slice(0, 16).replace('T', ' ');

/** Pages are read when they are needed. */
async function* newsOf(
  { client, signal }: CommandContext,
  id: string,
  flags: NewsFlags,
): AsyncGenerator<WatchNews> {
  let left =
    flags.limit === undefined ? Number.POSITIVE_INFINITY : wholeNumber('--limit', flags.limit);
  let after = flags.after === undefined ? undefined : placeOf(flags.after);
  while (left > 0) {
    const limit = Math.min(left, LIMITS.newsMax);
    const page = await client.watchNews(id, { after, limit }, { signal });
    yield* page.news;
    left -= page.news.length;
    after = page.next_after;
    if (after === undefined) return;
  }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** An age and a day as a time; the server checks all others. */
function placeOf(text: string): string {
  const minutes = ageMinutes(text);
  if (minutes !== undefined) return new Date(Date.now() - minutes * 60_000).toISOString();
  return DAY.test(text) ? `${text}T00:00:00Z` : text;
}

const COLUMNS = [
  ['no.', 6],
  ['found (UTC)', 26],
  ['new', 9],
  ['address', 0.6],
  ['title', 0.39],
  ['provider', 14],
] as const;

const rowOf = (item: WatchNews): readonly string[] => [
  String(item.sequence),
  item.first_seen_at,
  item.kind,
  item.url,
  item.title ?? '',
  item.provider ?? '',
];
