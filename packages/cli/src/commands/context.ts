import type { ContextRequest, ContextResponse } from '@trawl/client';
import { loadSettings, searchOptions } from '@trawl/client/settings';
import { listOf, runWithKey, wholeNumber } from '@trawl/client/terminal/command';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { counted, note, print, printJson } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import { LIMITS } from '@trawl/contract/limits';
import type { Command } from 'commander';
import type { ExecuteFlags } from '../client/batches.ts';
import { costOptions } from '../client/cost-options.ts';
import { sessionOf } from '../client/named.ts';
import { planText } from '../client/plan-text.ts';
import { API_JSON, acceptSpellings } from '../program/flags.ts';

/** `trawl context` */
export function addContext(program: Command, environment: Environment): void {
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
    .option('--json', API_JSON)
    .option('--jsonl', 'print the events of the answer as they arrive, one per line')
    .addHelpText('after', '\nStandard output holds only the text for a model.')
    .action((question: string, flags) => context(environment, question, flags));
  acceptSpellings(command, 'include');
}

interface ContextFlags extends Omit<ExecuteFlags, 'file' | 'strict'> {
  readonly maxTokens?: string;
  readonly maxPages?: string;
  readonly maxSeconds?: string;
  readonly maxCost?: string;
  readonly include?: string;
  readonly exclude?: string;
  readonly numResults?: string;
  readonly maxAge?: string;
  /** false with `--no-cache`. */
  readonly cache?: boolean;
  readonly onlyNew?: boolean;
}

/** `trawl context`: a question, and the text that a model gets to answer it. */
const context = (environment: Environment, question: string, flags: ContextFlags) =>
  runWithKey(environment, flags, async (command) => {
    const { client, signal, err } = command;
    const session = flags.session && (await sessionOf(command, flags.session));
    const request = { ...requestOf(question, flags, environment), session_id: session };
    if (flags.dryRun) {
      const planned = await client.contextDryRun(request, { signal });
      if (flags.json || flags.jsonl) printJson(planned);
      else print(await planText(command, planned, [question]));
      return EXIT.ok;
    }
    let answer: ContextResponse | undefined;
    for await (const event of client.contextStream(request, { signal })) {
      if (flags.jsonl) printJson(event);
      else if (event.type === 'source' && err.isTerminal && !flags.json) {
        note(`${event.source.text_from}\t${event.source.url}\n`);
      }
      if (event.type === 'done') answer = event.answer;
    }
    if (!answer) return EXIT.failed;
    if (flags.json) printJson(answer);
    else if (!flags.jsonl) await showContext(answer);
    return answer.context.sources.length === 0 ? EXIT.failed : EXIT.ok;
  });

/** Standard output has the text alone. */
async function showContext(answer: ContextResponse): Promise<void> {
  const { contextNotes } = await import('@trawl/client/text');
  const { context: made, session_id } = answer;
  if (made.text !== '') print(`${made.text}\n`);
  const head = `${counted(made.sources.length, 'source')}, about ${made.tokens} tokens`;
  note(`${[head, ...contextNotes(answer), `session ${session_id}`].join('\n')}\n`);
}

function requestOf(query: string, flags: ContextFlags, environment: Environment): ContextRequest {
  const include = listOf('--include', flags.include);
  const exclude = listOf('--exclude', flags.exclude);
  const { providers, auto_routing, fallback, num_results } = searchOptions(
    loadSettings({ environment }).settings,
    { ...(include || exclude ? { providers: { include, exclude } } : {}), fallback: 'auto' },
  );
  const { max_cost_usd, ...ages } = costOptions(flags);
  const number = (flag: string, text: string | undefined, most: number) =>
    text === undefined ? undefined : wholeNumber(flag, text, most);
  return {
    query,
    max_tokens: number('--max-tokens', flags.maxTokens, LIMITS.contextTokensMax),
    max_pages:
      flags.maxPages === '0' ? 0 : number('--max-pages', flags.maxPages, LIMITS.contextPagesMax),
    max_seconds: number('--max-seconds', flags.maxSeconds, LIMITS.contextSecondsMax),
    max_cost_usd,
    search: {
      providers,
      auto_routing,
      fallback,
      num_results: number('--num-results', flags.numResults, LIMITS.resultsMax) ?? num_results,
      ...ages,
    },
    fetch: ages,
    novelty: flags.onlyNew ? 'session' : undefined,
  };
}
