import type { DryRun, FetchAnswer, SearchAnswer } from '@trawl/client';
import type { CommonFlags, Running } from './command.ts';
import { EXIT, type ExitCode, exitOf } from './exit-codes.ts';
import { note, print, printJson } from './output.ts';
import { planText } from './plan-text.ts';
import { progressOf } from './progress.ts';
import { costOf } from './session-cost.ts';
import { summaryText } from './summary.ts';
import { newTally, type Tally } from './tally.ts';

/** Options of the commands that ask providers. */
export interface AskingFlags extends CommonFlags {
  readonly session?: string;
  readonly file?: string;
  readonly dryRun?: boolean;
  readonly strict?: boolean;
}

/** A search or a fetch of as many requests as there are batches. */
export interface Asking<Event, Answer> {
  readonly items: 'queries' | 'pages';
  readonly batches: readonly (readonly string[])[];
  plan(batch: readonly string[], session: string | undefined): Promise<DryRun>;
  ask(batch: readonly string[], session: string | undefined): AsyncGenerator<Event>;
  /** The answer, where the event is the last of its request. */
  answerOf(event: Event): Answer | undefined;
  /** Index in its batch of the item that an event is about. */
  indexOf(event: Event, batch: readonly string[]): number | undefined;
  /** Tells people of an event. @param before items of earlier batches */
  show(event: Event, before: number): void;
  /** How many runs or pages there were, and how many of them failed. */
  count(answer: Answer): { readonly all: number; readonly failed: number };
}

/** Asks batch after batch, shows what lands, and says how it ended. */
export async function askAll<Event, Answer extends SearchAnswer | FetchAnswer>(
  running: Running,
  flags: AskingFlags,
  asking: Asking<Event, Answer>,
): Promise<ExitCode> {
  if (flags.dryRun) return planAll(running, flags, asking);
  const tally = await tallyOf(running, flags, asking);
  const exitCode = exitOf(tally.all, tally.failed, flags.strict === true);
  const isSearch = asking.items === 'queries';
  const noun = isSearch ? 'run' : 'page';
  const done = isSearch ? 'succeeded' : 'fetched';
  const cost = await costOf(running, flags, tally);
  note(summaryText(running.err, flags, { noun, done, cost, ...tally, exitCode }));
  return exitCode;
}

async function planAll<Event, Answer>(
  running: Running,
  flags: AskingFlags,
  { batches, plan }: Asking<Event, Answer>,
): Promise<ExitCode> {
  for (const batch of batches) {
    const planned = await plan(batch, flags.session);
    if (flags.json || flags.jsonl) printJson(planned);
    else print(planText(running, planned, batch));
  }
  return EXIT.ok;
}

async function tallyOf<Event, Answer extends SearchAnswer | FetchAnswer>(
  { environment, err }: Running,
  flags: AskingFlags,
  asking: Asking<Event, Answer>,
): Promise<Tally> {
  const total = asking.batches.reduce((sum, batch) => sum + batch.length, 0);
  const progress = progressOf(total, asking.items, environment);
  const open = newTally();
  let before = 0;
  try {
    for (const batch of asking.batches) {
      // all batches are one session
      const session = flags.session ?? open.tally().sessionId;
      for await (const event of asking.ask(batch, session)) {
        const answer = asking.answerOf(event);
        if (answer) open.add(answer, asking.count(answer));
        progress.around(() => {
          if (flags.jsonl) printJson(event);
          else if (!flags.json) asking.show(event, before);
          else if (answer) printJson(answer);
        });
        progress.reached(before + (asking.indexOf(event, batch) ?? 0));
      }
      before += batch.length;
    }
  } catch (error) {
    const isForPeople = !flags.json && !flags.jsonl;
    progress.end();
    if (before > 0 && isForPeople) {
      note(err.warning(`${before} of ${total} ${asking.items} were answered before this\n`));
    }
    throw error;
  }
  progress.end();
  return open.tally();
}
