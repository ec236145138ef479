import type { DryRun, FetchAnswer, SearchAnswer } from '@trawl/client';
import type { CommandContext, CommonFlags } from '@trawl/client/terminal/command';
import { EXIT, type ExitCode, exitOf } from '@trawl/client/terminal/exit-codes';
import { inCommands } from '@trawl/client/terminal/flag-names';
import { commandHere } from '@trawl/client/terminal/manifest';
import { counted, note, print, printJson } from '@trawl/client/terminal/output';
import { progressOf } from '@trawl/client/terminal/progress';
import { oneLine, type Style } from '@trawl/client/terminal/style';
import { TIERS } from '@trawl/contract/vocabulary';
import { type Command, Option } from 'commander';
import { sessionOf } from './named.ts';
import { planText } from './plan-text.ts';
import { costOf } from './session-cost.ts';
import { type AnswerCount, type CommandTally, newTally } from './tally.ts';

/** Options of the commands that call providers. */
export interface ExecuteFlags extends CommonFlags {
  readonly session?: string;
  readonly file?: string;
  readonly dryRun?: boolean;
  readonly strict?: boolean;
}

export const BATCH_HELP = ' "-" reads one per line from standard input';

export const tierOption = () =>
  new Option('--tier <tier>', 'how much to ask of each provider').choices(TIERS);

/** What `search` and `fetch` have in common. */
export const addExecuteOptions = (command: Command): Command =>
  command
    .option('--session <id>', 'session to record it in; a new one when absent')
    .option('--file <path>', 'read more of them from a file, one per line')
    .option('--dry-run', 'show the planned calls and their prices, and call no provider')
    .option('--timeout <seconds>', 'longest wait for one request')
    .option('--strict', `exit with ${EXIT.partial} when some failed and some did not`)
    .option('--json', "print the API's answer, one line for each request")
    .option('--jsonl', 'print the events of the answer as they arrive, one per line');

/** A search or a fetch, with one request per batch. */
export interface BatchJob<Event, Answer> {
  readonly items: 'queries' | 'pages';
  readonly batches: readonly (readonly string[])[];
  plan(batch: readonly string[], session: string | undefined): Promise<DryRun>;
  ask(batch: readonly string[], session: string | undefined): AsyncGenerator<Event>;
  /** The answer, if the event is the last of its request. */
  answerOf(event: Event): Answer | undefined;
  /** Index of the event's item in its batch. */
  indexOf(event: Event, batch: readonly string[]): number | undefined;
  /** Prints an event for people. @param before number of items in earlier batches */
  show(event: Event, before: number): void;
  /** The number of runs or pages, and which of them failed. */
  count(answer: Answer): AnswerCount;
}

/** Sends batch after batch, prints events as they arrive, and ends with a summary. */
export async function runBatches<Event, Answer extends SearchAnswer | FetchAnswer>(
  context: CommandContext,
  given: ExecuteFlags,
  job: BatchJob<Event, Answer>,
): Promise<ExitCode> {
  const session = given.session && (await sessionOf(context, given.session));
  const flags = { ...given, ...(session && { session }) };
  if (flags.dryRun) return planBatches(context, flags, job);
  const tally = await tallyOf(context, flags, job);
  const exitCode = exitOf(tally.all, tally.failed, flags.strict === true);
  const isSearch = job.items === 'queries';
  const noun = isSearch ? 'run' : 'page';
  const done = isSearch ? 'succeeded' : 'fetched';
  const cost = await costOf(context, flags, tally);
  note(summaryText(context.err, flags, { noun, done, cost, ...tally, exitCode }));
  return exitCode;
}

async function planBatches<Event, Answer>(
  context: CommandContext,
  flags: ExecuteFlags,
  { batches, plan }: BatchJob<Event, Answer>,
): Promise<ExitCode> {
  for (const batch of batches) {
    const planned = await plan(batch, flags.session);
    if (flags.json || flags.jsonl) printJson(planned);
    else print(await planText(context, planned, batch));
  }
  return EXIT.ok;
}

async function tallyOf<Event, Answer extends SearchAnswer | FetchAnswer>(
  { environment, err }: CommandContext,
  flags: ExecuteFlags,
  job: BatchJob<Event, Answer>,
): Promise<CommandTally> {
  const total = job.batches.reduce((sum, batch) => sum + batch.length, 0);
  const progress = progressOf(total, job.items, environment);
  const open = newTally();
  let before = 0;
  try {
    for (const batch of job.batches) {
      // all batches share one session
      const session = flags.session ?? open.tally().sessionId;
      for await (const event of job.ask(batch, session)) {
        const answer = job.answerOf(event);
        if (answer) open.add(answer, job.count(answer));
        progress.around(() => {
          if (flags.jsonl) printJson(event);
          else if (!flags.json) job.show(event, before);
          else if (answer) printJson(answer);
        });
        progress.reached(before + (job.indexOf(event, batch) ?? 0));
      }
      before += batch.length;
    }
  } catch (error) {
    const isForPeople = !flags.json && !flags.jsonl;
    progress.end();
    if (before > 0 && isForPeople) {
      note(err.warning(`${before} of ${total} ${job.items} were answered before this error\n`));
    }
    throw error;
  }
  progress.end();
  return open.tally();
}

interface Outcome extends CommandTally {
  readonly noun: 'run' | 'page';
  /** The verb for those that did not fail. */
  readonly done: 'succeeded' | 'fetched';
  /** The cost as text; undefined when it is not known or not asked for. */
  readonly cost: string | undefined;
  readonly exitCode: ExitCode;
}

/** Up to this many interactions are listed by id; more are only counted. */
const NAMED_MAX = 3;

/** The last lines, after everything has arrived. With JSON output they report failures only. */
function summaryText(style: Style, flags: CommonFlags, outcome: Outcome): string {
  const { warnings, failed, cost } = outcome;
  if (flags.json || flags.jsonl) {
    return outcome.exitCode === EXIT.ok ? '' : failedJson(outcome);
  }
  const lines = warnings.map(({ code, message, count }) => {
    const times = count > 1 ? ` (${count} times)` : '';
    return style.warning(`warning ${code}${times}: ${oneLine(inCommands(message))}`);
  });
  const total = `${countText(outcome)}${cost === undefined ? '' : `, ${cost}`}; ${placeText(outcome)}`;
  if (failed > 0) lines.push(style.bad(total));
  else if (style.isTerminal) lines.push(style.dim(total));
  const hint = offlineHint(outcome);
  if (hint !== null) lines.push(`  ${hint}`);
  return lines.map((line) => `${line}\n`).join('');
}

/** Where nothing at all could be reached. */
const offlineHint = ({ all, unreached }: Outcome): string | null =>
  all > 0 && unreached === all
    ? `nothing could be reached: is the server's machine connected to the internet? "${commandHere()} demo" needs no internet`
    : null;

const countText = ({ all, failed, noun, done }: Outcome): string =>
  `${all - failed} of ${all} ${noun}s ${done}`;

function placeText({ sessionId, interactionIds }: Outcome): string {
  const isFew = interactionIds.length <= NAMED_MAX;
  const place = isFew
    ? `interaction ${interactionIds.join(', ')}`
    : counted(interactionIds.length, 'interaction');
  return `session ${sessionId}, ${place}`;
}

function failedJson(outcome: Outcome): string {
  const {
    all,
    failed,
    sessionId,
    interactionIds: [first],
  } = outcome;
  const error = {
    code: failed < all ? 'some_failed' : 'all_failed',
    message: `${countText(outcome)}; see standard output for the reasons`,
    remedy: offlineHint(outcome),
    status: 200,
    param: null,
    request_id: null,
    session_id: sessionId ?? null,
    interaction_id: first ?? null,
  };
  return `${JSON.stringify({ error })}\n`;
}
