import type { Environment } from '@trawl/client/terminal/style';
import type { Command } from 'commander';
import { acceptSpellings } from '../program/spellings.ts';

const JSON_HELP = "print the API's answer";

/** The commands of watches. Their code is loaded when they run. */
export function addWatchCommands(program: Command, environment: Environment): void {
  const watch = program
    .command('watch')
    .description('ask for a search or pages again and again, and see what is new');
  addPayingCommands(watch, environment);
  watch
    .command('list')
    .description('list the watches of the project')
    .option('--json', JSON_HELP)
    .action(async (flags) => (await import('./watch.ts')).listWatches(environment, flags));
  watch
    .command('show <watch>')
    .description('show a watch, how its last run ended and when the next one is')
    .option('--json', JSON_HELP)
    .action(async (id: string, flags) =>
      (await import('./watch.ts')).showWatch(environment, id, flags),
    );
  watch
    .command('news <watch>')
    .description('what a watch found that is new, the oldest first')
    .option('--after <place>', 'only after this number, time or day, or since 1d ago, say')
    .option('--limit <n>', 'show at most this many; all when absent')
    .option('--json', 'print JSON: one object with all of them')
    .option('--jsonl', 'print one JSON object per line, as they are read')
    .action(async (id: string, flags) =>
      (await import('./watch-news.ts')).showNews(environment, id, flags),
    );
  for (const [name, state, what] of [
    ['pause', 'paused', 'let a watch not run'],
    ['resume', 'active', 'let a watch run again'],
  ] as const) {
    watch
      .command(`${name} <watch>`)
      .description(what)
      .option('--json', JSON_HELP)
      .action(async (id: string, flags) =>
        (await import('./watch.ts')).setState(environment, id, { ...flags, state }),
      );
  }
  watch
    .command('remove <watch>')
    .description('delete a watch with its news; what its runs recorded stays')
    .action(async (id: string, flags) =>
      (await import('./watch.ts')).removeWatch(environment, id, flags),
    );
}

/** Those that begin paid runs. */
function addPayingCommands(watch: Command, environment: Environment): void {
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
    .option('--json', JSON_HELP)
    .action(async (queries: string[], flags) =>
      (await import('./watch.ts')).addWatch(environment, queries, flags),
    );
  acceptSpellings(add, 'include');
  watch
    .command('run <watch>')
    .description('run a watch now; prints the id of the interaction')
    .option('--dry-run', 'show what it would call and cost; nothing is sent')
    .option('--json', JSON_HELP)
    .action(async (id: string, flags) =>
      (await import('./watch.ts')).runWatch(environment, id, flags),
    );
}
