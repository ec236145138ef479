import { TIERS } from '@trawl/contract/vocabulary';
import { type Command, type CommanderError, Option } from 'commander';
import { commandHere } from '../program/manifest.ts';
import type { Environment } from '../program/style.ts';
import { EXIT } from './exit-codes.ts';
import { addReadingCommands } from './reading-commands.ts';

const BATCH_HELP = ' "-" reads one per line from standard input';

/** The commands that talk to a server as its clients do. What they need is loaded when they run. */
export function addClientCommands(program: Command, environment: Environment): void {
  addSearch(program, environment);
  addFetch(program, environment);
  addReadingCommands(program, environment);
  program
    .command('completion <shell>')
    .description('a script that completes words in bash, zsh or fish')
    .addHelpText(
      'after',
      `\nbash and zsh read it at once: source <(${commandHere()} completion bash)`,
    )
    .action(async (shell: string) => {
      const { run } = await import('./command.ts');
      const { printCompletion } = await import('./completion.ts');
      await run(environment, {}, async () => {
        printCompletion(program, shell);
        return EXIT.ok;
      });
    });
}

/** Ends after a mistake on the command line, which was told, or after help. */
export function leave({ exitCode, message }: CommanderError, args: readonly string[]): never {
  if (exitCode === 0) process.exit(EXIT.ok);
  if (args.includes('--json') || args.includes('--jsonl')) {
    const error = { code: 'usage', message: message.replace(/^error: /, '') };
    process.stderr.write(`${JSON.stringify({ error })}\n`);
  }
  process.exit(EXIT.usage);
}

const tierOption = () =>
  new Option('--tier <tier>', 'how much to ask of each provider').choices(TIERS);

/** What `search` and `fetch` have in common. */
const addAskingOptions = (command: Command): Command =>
  command
    .option('--session <id>', 'session to record it in; a new one when absent')
    .option('--file <path>', 'more of them, one a line')
    .option('--dry-run', 'show what would be called and for how much; nothing is')
    .option('--timeout <seconds>', 'longest to wait for one request')
    .option('--strict', `leave with ${EXIT.partial} where some failed and some did not`)
    .option('--json', "print the API's answer, one line for each request")
    .option('--jsonl', 'print the events of the answer as they land, one a line');

function addSearch(program: Command, environment: Environment): void {
  const command = program
    .command('search [queries...]')
    .description(`search the web; each argument is a query,${BATCH_HELP}`)
    .addOption(tierOption())
    .option('--num-results <n>', 'results per provider')
    .option('--include <list>', 'comma list of the providers to ask')
    .option('--exclude <list>', 'comma list of providers to leave out')
    .option('--fields <list>', 'comma list of result fields, instead of a tier')
    .option('--full-content', 'with the whole text of pages')
    .option('--no-full-content', 'without page text, even if the settings ask for it')
    .option('--auto-routing', "let the server choose providers by the query's topic")
    .option('--no-auto-routing', 'without auto-routing, even if the settings turn it on');
  addAskingOptions(command)
    .addHelpText(
      'after',
      '\nPiped, a result is a line of query, provider, rank, URL, title and summary, with tabs between them.',
    )
    .action(async (queries: string[], flags) =>
      (await import('./search.ts')).search(environment, queries, flags),
    );
}

function addFetch(program: Command, environment: Environment): void {
  const command = program
    .command('fetch [urls...]')
    .description(`read pages by URL;${BATCH_HELP}`)
    .addOption(tierOption())
    .option('--providers <list>', 'comma list of the only providers to try, in this order')
    .addOption(new Option('--format <format>', 'of the text').choices(['markdown', 'text']))
    .option('--max-chars <n>', 'most characters of each page');
  addAskingOptions(command)
    .addHelpText('after', '\nPiped, standard output holds the text of the pages alone.')
    .action(async (urls: string[], flags) =>
      (await import('./fetch.ts')).fetchPages(environment, urls, flags),
    );
}
