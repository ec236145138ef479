import type { ContextRequest, ContextResponse } from '@trawl/client';
import { loadSettings, searchOptions } from '@trawl/client/settings';
import { listOf, runWithKey, wholeNumber } from '@trawl/client/terminal/command';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { counted, note, print, printJson } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import { contextNotes } from '@trawl/client/text';
import { LIMITS } from '@trawl/contract/limits';
import type { ExecuteFlags } from './batches.ts';
import { costOptions } from './cost-options.ts';
import { sessionOf } from './named.ts';
import { planText } from './plan-text.ts';

export interface ContextFlags extends Omit<ExecuteFlags, 'file' | 'strict'> {
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
export const context = (environment: Environment, question: string, flags: ContextFlags) =>
  runWithKey(environment, flags, async (command) => {
    const { client, signal, err } = command;
    const session = flags.session && (await sessionOf(command, flags.session));
    const request = { ...requestOf(question, flags, environment), session_id: session };
    if (flags.dryRun) {
      const planned = await client.contextDryRun(request, { signal });
      if (flags.json || flags.jsonl) printJson(planned);
      else print(planText(command, planned, [question]));
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
    else if (!flags.jsonl) showContext(answer);
    return answer.context.sources.length === 0 ? EXIT.failed : EXIT.ok;
  });

/** Standard output has the text alone. */
function showContext(answer: ContextResponse): void {
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
