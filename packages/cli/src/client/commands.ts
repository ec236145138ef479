import { EXIT } from '@trawl/client/terminal/exit-codes';
import { commandHere } from '@trawl/client/terminal/manifest';
import type { Environment } from '@trawl/client/terminal/style';
import { SAFE_SEARCH } from '@trawl/contract/filters';
import { TIERS } from '@trawl/contract/vocabulary';
import { type Command, Option } from 'commander';
import { acceptSpellings } from '../program/spellings.ts';
import { addReadingCommands } from './reading-commands.ts';
import { addWatchCommands } from './watch-commands.ts';

const BATCH_HELP = ' "-" reads one per line from standard input';

/** The commands that are clients of a server. Their code is loaded when they run. */
export function addClientCommands(program: Command, environment: Environment): void {
  addSearch(program, environment);
  addFetch(program, environment);
  addContext(program, environment);
  addReadingCommands(program, environment);
  addWatchCommands(program, environment);
  program
    .command('completion <shell>')
    .description('print a completion script for bash, zsh or fish')
    .addHelpText(
      'after',
      `\nTo load it into the running shell: source <(${commandHere()} completion bash)`,
    )
    .action(async (shell: string) => {
      const { run } = await import('@trawl/client/terminal/command');
      const { printCompletion } = await import('./completion.ts');
      const { describeEvaluate } = await import('../evaluate/evaluate.ts');
      await run(environment, {}, async () => {
        const evaluate = program.commands.find((command) => command.name() === 'evaluate');
        if (evaluate) await describeEvaluate(evaluate, environment);
        printCompletion(program, shell);
        return EXIT.ok;
      });
    });
}

const tierOption = () =>
  new Option('--tier <tier>', 'how much to ask of each provider').choices(TIERS);

/** What `search` and `fetch` have in common. */
const addExecuteOptions = (command: Command): Command =>
  command
    .option('--session <id>', 'session to record it in; a new one when absent')
    .option('--file <path>', 'read more of them from a file, one per line')
    .option('--dry-run', 'show the planned calls and their prices, and call no provider')
    .option('--timeout <seconds>', 'longest wait for one request')
    .option('--strict', `exit with ${EXIT.partial} when some failed and some did not`)
    .option('--json', "print the API's answer, one line for each request")
    .option('--jsonl', 'print the events of the answer as they arrive, one per line');

/** Collects the values of a flag that may be repeated. */
const collect = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

function addSearch(program: Command, environment: Environment): void {
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
    .addOption(new Option('--format <format>', 'format of the text').choices(['markdown', 'text']))
    .option('--max-chars <n>', 'print at most this many characters of each page')
    .option('--focus <query>', 'print only the passages of each page that fit this query best')
    .option('--max-age <seconds>', 'accept a cached page that is younger')
    .option('--no-cache', 'neither read nor write the page cache')
    .option('--max-cost <usd>', 'what each request may cost at most');
  addExecuteOptions(acceptSpellings(command, 'providers'))
    .addHelpText('after', '\nIn a pipe, standard output holds only the text of the pages.')
    .action(async (urls: string[], flags) =>
      (await import('./fetch.ts')).fetchPages(environment, urls, flags),
    );
}

function addContext(program: Command, environment: Environment): void {
  const command = program
    .command('context <question>')
    .description('search, read the best pages, and print the passages that answer a question')
    .option('--max-tokens <n>', 'size of the text, by an estimate; 6000 when absent')
    .option('--max-pages <n>', 'pages to read; 6 when absent, 0 for the rows of the search alone')
    .option('--max-seconds <n>', 'when the answer is there at the latest; 20 when absent')
    .option('--max-cost <usd>', 'what search and pages may cost at most')
    .option('--include <list>', 'comma list of the search providers to ask')
    .option('--exclude <list>', 'comma list of search providers to leave out')
    .option('--num-results <n>', 'results per provider')
    .option('--max-age <seconds>', 'accept recorded answers and cached pages that are younger')
    .option('--no-cache', 'ask the providers, even if recorded answers are served')
    .option('--only-new', 'leave out pages that the session has seen')
    .option('--session <id>', 'session to record it in; a new one when absent')
    .option('--dry-run', 'show the planned calls and their prices, and call no provider')
    .option('--timeout <seconds>', 'longest wait for the request')
    .option('--json', "print the API's answer")
    .option('--jsonl', 'print the events of the answer as they arrive, one per line')
    .addHelpText('after', '\nStandard output holds only the text for a model.')
    .action(async (question: string, flags) =>
      (await import('./context.ts')).context(environment, question, flags),
    );
  acceptSpellings(command, 'include');
}
