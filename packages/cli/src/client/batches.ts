import type { DryRun, FetchAnswer, SearchAnswer } from '@trawl/client';
import type { CommandContext, CommonFlags } from '@trawl/client/terminal/command';
import { EXIT, type ExitCode, exitOf } from '@trawl/client/terminal/exit-codes';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { progressOf } from '@trawl/client/terminal/progress';
import { sessionOf } from './named.ts';
import { planText } from './plan-text.ts';
import { costOf } from './session-cost.ts';
import { summaryText } from './summary.ts';
import { type AnswerCount, type CommandTally, newTally } from './tally.ts';

/** Options of the commands that call providers. */
export interface ExecuteFlags extends CommonFlags {
  readonly session?: string;
  readonly file?: string;
  readonly dryRun?: boolean;
  readonly strict?: boolean;
}

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
    else print(planText(context, planned, batch));
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
