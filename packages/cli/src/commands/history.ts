import type { InteractionRecordSummary, PreprocessorRun } from '@trawl/client';
import { isFetchOutput, isSearchOutput } from '@trawl/client/answers';
import { type CommonFlags, runWithKey } from '@trawl/client/terminal/command';
import { counted, print, printJson } from '@trawl/client/terminal/output';
import { type Environment, oneLine, type Style } from '@trawl/client/terminal/style';
import type { Command } from 'commander';
import { sessionOf } from '../client/named.ts';
import { API_JSON, API_JSONL } from '../program/flags.ts';

/** `trawl history` */
export function addHistory(program: Command, environment: Environment): void {
  program
    .command('history <session>')
    .description('the interactions of a session, oldest first')
    .option('--full', 'include their runs')
    .option('--json', API_JSON)
    .option('--jsonl', API_JSONL)
    .action((session: string, flags) => showHistory(environment, session, flags));
}

/** `trawl history`: the interactions of a session, oldest first; with `full` their runs too. */
const showHistory = (
  environment: Environment,
  session: string,
  flags: CommonFlags & { readonly full?: boolean },
) =>
  runWithKey(environment, flags, async (context) => {
    const { client, out, signal } = context;
    const sessionId = await sessionOf(context, session);
    const query = { type: flags.full ? 'full' : 'short' } as const;
    if (flags.json) {
      let answer = await client.sessionHistory(sessionId, query, { signal });
      const interactions = [...answer.interactions];
      while (answer.next_after !== undefined) {
        const after = answer.next_after;
        answer = await client.sessionHistory(sessionId, { ...query, after }, { signal });
        for (const interaction of answer.interactions) interactions.push(interaction);
      }
      printJson({ ...answer, interactions });
      return 0;
    }
    for await (const interaction of client.history(sessionId, query, { signal })) {
      if (flags.jsonl) printJson(interaction);
      else print(interactionText(interaction, out));
    }
    return 0;
  });

/** Time, outcome, id and input, separated by tabs; then a line for each run. */
function interactionText(interaction: InteractionRecordSummary, style: Style): string {
  const { created_at, outcome, id, user_input, preprocessor_runs: runs = [] } = interaction;
  const cells = [created_at, statusText(outcome, style), id, oneLine(inputText(user_input))];
  const runLines = runs.map((run) => runLine(run, outcome, style));
  return [cells.join(style.isTerminal ? '  ' : '\t'), ...runLines]
    .map((line) => `${line}\n`)
    .join('');
}

/** @param outcome of the interaction: that of a fetch, which has one run, is by its pages */
function runLine(run: PreprocessorRun, outcome: string, style: Style): string {
  const { preprocessor_name: name, latency_ms: latencyMs, query, error } = run;
  const facts = [
    statusText(isFetchOutput(run.output_payload) ? outcome : run.status, style),
    ...(latencyMs === null ? [] : [`${latencyMs} ms`]),
    ...(error === null ? [rowsCount(run)] : [oneLine(`${error.code}: ${error.message}`)]),
  ];
  return `  ${style.bold(name)}  ${facts.join(', ')}${query ? `  ${style.dim(oneLine(query))}` : ''}`;
}

function rowsCount({ output_payload: output }: PreprocessorRun): string {
  if (isSearchOutput(output)) return counted(output.results.length, 'result');
  if (!isFetchOutput(output)) return 'nothing';
  const { length } = output.fetched_results;
  const { failed_count: failed } = output;
  return `${counted(length, 'page')}${failed > 0 ? `, ${failed} failed` : ''}`;
}

function statusText(status: string, style: Style): string {
  if (status === 'succeeded') return style.good(status);
  return status === 'failed' ? style.bad(status) : style.warning(status);
}

/** The query, the URLs or the batch of an interaction. */
function inputText(input: InteractionRecordSummary['user_input']): string {
  if (typeof input?.query === 'string') return input.query;
  if (Array.isArray(input?.urls)) return input.urls.join(' ');
  return Array.isArray(input?.queries) ? JSON.stringify(input.queries) : 'no input';
}
