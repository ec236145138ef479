import {
  type CountedAnswer,
  type FeedbackRow,
  type InteractionRecord,
  type Recorder,
  SessionTakenError,
} from '@trawl/router';
import type { RecorderTask, Result, Trial } from './recorder-protocol.ts';
import {
  createRecorderThread,
  type RecorderThread,
  type RecorderThreadOptions,
} from './recorder-thread.ts';
import { ledgerValues, recordRows } from './rows.ts';

/** Estimated size of a row's small texts and overhead. */
const ROW_CHARACTERS = 500;

export interface ProbingRecorder extends Recorder {
  /** Resolves when a write was committed in the same way as a record. */
  probe(): Promise<void>;
  /**
   * Deletes some of the project's interactions that are older than a time: a slice that others
   * hardly wait for.
   */
  sweep(
    projectId: string,
    before: string,
  ): Promise<{ readonly deleted: number; readonly hasMore: boolean }>;
  /** Resolves when a record of this size was committed and deleted again. */
  trial(trial: Trial): Promise<void>;
}

/** A write that the database refused. */
export class RefusedWriteError extends Error {
  /** The driver's code, such as `SQLITE_FULL`. */
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/**
 * The recorder with its own thread. A rejected promise means that the write is not known to be
 * stored: a thread or connection that fails during the commit cannot report its outcome.
 */
export function createRecorder(options: RecorderThreadOptions): ProbingRecorder {
  const thread = createRecorderThread(options);
  const countedOf = createSampling();
  return {
    record: async (interaction) => {
      const record = recordRows(interaction, countedOf(interaction));
      const operation = { kind: 'record', record } as const;
      const outcome = await thread.send(operation, charactersOf(interaction));
      if (outcome.status === 'taken') {
        throw new SessionTakenError(`session ${interaction.sessionId} belongs to another project`);
      }
      committed(outcome);
    },
    recordLedger: async (rows, budgetLeaseIds = []) => {
      if (rows.length === 0 && budgetLeaseIds.length === 0) return;
      const operation = { kind: 'ledger', rows: rows.map(ledgerValues), budgetLeaseIds } as const;
      committed(await thread.send(operation, rows.length * ROW_CHARACTERS));
    },
    recordFeedback: async (feedback) => {
      const characters = feedback.rows.reduce((sum, row) => sum + charactersOfFeedback(row), 0);
      return committed(await thread.send({ kind: 'feedback', feedback }, characters)).found;
    },
    deleteSession: (projectId, sessionId) => deleteSession(thread, projectId, sessionId),
    sweep: async (projectId, before) => {
      const outcome = await thread.send({ kind: 'sweep', projectId, before }, ROW_CHARACTERS);
      const { deleted = 0, next } = committed(outcome);
      return { deleted, hasMore: next !== undefined };
    },
    probe: async () => {
      committed(await thread.send({ kind: 'probe' }, ROW_CHARACTERS));
    },
    trial: async (trial) => {
      committed(await thread.send({ kind: 'trial', ...trial }, ROW_CHARACTERS));
    },
    hasRoom: thread.hasRoom,
    whenRoom: thread.whenRoom,
    close: () => thread.close(),
  };
}

/** In slices, between which other writes get their turn. */
async function deleteSession(
  thread: RecorderThread,
  projectId: string,
  sessionId: string,
): Promise<boolean> {
  let upTo: number | null = null;
  for (;;) {
    const operation: RecorderTask = { kind: 'delete', projectId, sessionId, upTo };
    const outcome = committed(await thread.send(operation, ROW_CHARACTERS));
    if (outcome.next === undefined) return outcome.found;
    upTo = outcome.next;
  }
}

function committed(outcome: Result): Extract<Result, { status: 'committed' }> {
  if (outcome.status === 'committed') return outcome;
  if (outcome.status === 'taken') throw new Error('the write was not committed: taken');
  throw new RefusedWriteError(`the write was not committed: ${outcome.message}`, outcome.code);
}

const charactersOfFeedback = ({ url, note }: FeedbackRow): number =>
  ROW_CHARACTERS + (url?.length ?? 0) + (note?.length ?? 0);

/** The approximate memory of a record. */
export function charactersOf(interaction: InteractionRecord): number {
  const { runs, ledger, titles, metadata, userInput } = interaction;
  const rows = 1 + runs.length + ledger.length;
  let characters = rows * ROW_CHARACTERS + metadata.length + (userInput?.length ?? 0);
  for (const { text } of runs) {
    if (typeof text === 'string') characters += text.length;
    else for (const part of text) characters += part.length;
  }
  for (const { url, title } of titles) characters += url.length + title.length;
  return characters;
}

/** As long as between two looks at the health of providers. */
const SPAN_MS = 20_000;
/** Many more than a look reads. */
const ANSWERS_MAX = 500;

type Counted = Pick<InteractionRecord, 'projectId' | 'completedAt' | 'counted'>;

/**
 * Chooses the answers that are counted: all, but of a project that asks a provider more than 25
 * times in a second only the first of each span. A row for each took 4 % of the CPU time of a
 * search on a busy server, and a look reads the newest 60.
 */
export function createSampling(): (record: Counted) => readonly CountedAnswer[] {
  const counted = new Map<string, number>();
  let span = 0;
  return ({ projectId, completedAt, counted: answers = [] }) => {
    const now = Math.floor(Date.parse(completedAt) / SPAN_MS);
    if (now !== span) counted.clear();
    span = now;
    return answers.filter(({ provider }) => {
      const key = `${provider} ${projectId}`;
      const before = counted.get(key) ?? 0;
      counted.set(key, before + 1);
      return before < ANSWERS_MAX;
    });
  };
}
