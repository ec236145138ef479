import type { Watch } from '@trawl/client';
import { type CommonFlags, runWithKey } from '@trawl/client/terminal/command';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { aligned, note, print, printJson } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import type { Command } from 'commander';
import { planText } from '../client/plan-text.ts';
import { everyOf, labelOf, watchOf } from '../client/watches.ts';
import { API_JSON } from '../program/flags.ts';
import { rowsText } from '../program/table.ts';
import { addWatchAdd } from './watch-add.ts';
import { addWatchNews } from './watch-news.ts';

/** `trawl watch` and the commands below it */
export function addWatch(program: Command, environment: Environment): void {
  const watch = program
    .command('watch')
    .description('ask for a search or pages again and again, and see what is new');
  addWatchAdd(watch, environment);
  watch
    .command('run <watch>')
    .description('run a watch now; prints the id of the interaction')
    .option('--dry-run', 'show what it would call and cost; nothing is sent')
    .option('--json', API_JSON)
    .action((id: string, flags) => runWatch(environment, id, flags));
  watch
    .command('list')
    .description('list the watches of the project')
    .option('--json', API_JSON)
    .action((flags) => listWatches(environment, flags));
  watch
    .command('show <watch>')
    .description('show a watch, how its last run ended and when the next one is')
    .option('--json', API_JSON)
    .action((id: string, flags) => showWatch(environment, id, flags));
  addWatchNews(watch, environment);
  for (const [name, state, what] of [
    ['pause', 'paused', 'let a watch not run'],
    ['resume', 'active', 'let a watch run again'],
  ] as const) {
    watch
      .command(`${name} <watch>`)
      .description(what)
      .option('--json', API_JSON)
      .action((id: string, flags) => setState(environment, id, { ...flags, state }));
  }
  watch
    .command('remove <watch>')
    .description('delete a watch with its news; what its runs recorded stays')
    .action((id: string, flags) => removeWatch(environment, id, flags));
}

/** `trawl watch run`: one run now. */
const runWatch = (
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
      else print(await planText(context, plan));
      return EXIT.ok;
    }
    const ran = await client.runWatch(watch, { signal });
    if (flags.json) printJson(ran);
    else print(`${ran.interaction_id}\n`);
    return EXIT.ok;
  });

/** `trawl watch list` */
const listWatches = (environment: Environment, flags: CommonFlags) =>
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
      print(await rowsText(out, COLUMNS, rows));
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
const showWatch = (environment: Environment, id: string, flags: CommonFlags) =>
  runWithKey(environment, flags, async (context) => {
    const watch = await watchOf(context, id);
    print(await shown(await context.client.readWatch(watch, { signal: context.signal }), flags));
    return EXIT.ok;
  });

/** `trawl watch pause` and `trawl watch resume` */
const setState = (
  environment: Environment,
  id: string,
  flags: CommonFlags & { readonly state: 'active' | 'paused' },
) =>
  runWithKey(environment, flags, async (context) => {
    const { client, signal } = context;
    const watch = await watchOf(context, id);
    print(await shown(await client.changeWatch(watch, { state: flags.state }, { signal }), flags));
    return EXIT.ok;
  });

/** `trawl watch remove` */
const removeWatch = (environment: Environment, id: string, flags: CommonFlags) =>
  runWithKey(environment, flags, async (context) => {
    const { client, signal } = context;
    await client.deleteWatch(await watchOf(context, id), { signal });
    note('removed; what its runs recorded stays in its session\n');
    return EXIT.ok;
  });

async function shown(watch: Watch, flags: CommonFlags): Promise<string> {
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

const stateOf = ({ state, stop_reason: reason }: Watch): string =>
  reason === null ? state : `${state}: key ${reason}`;
