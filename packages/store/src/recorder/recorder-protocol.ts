import type { FeedbackRecord } from '@trawl/router';
import type { RecordRows, Value } from './rows.ts';

/**
 * The messages between the calling thread and the recorder's thread: plain data, cloned between
 * them.
 */

/**
 * What one transaction writes at most, because its first record waits for its last. A larger record
 * has one of its own.
 */
export const GROUP_CHARACTERS = 8_000_000;

export type RecorderTask =
  | { readonly kind: 'record'; readonly record: RecordRows }
  | {
      readonly kind: 'ledger';
      readonly rows: readonly (readonly Value[])[];
      readonly budgetLeaseIds: readonly string[];
    }
  | { readonly kind: 'feedback'; readonly feedback: FeedbackRecord }
  /** Deletes a part of a session: see `deleteSessionSlice`. */
  | {
      readonly kind: 'delete';
      readonly projectId: string;
      readonly sessionId: string;
      readonly upTo: number | null;
    }
  /** Deletes some interactions of a project that are older than a time. */
  | { readonly kind: 'sweep'; readonly projectId: string; readonly before: string }
  /** Takes the same path as a record, but writes nothing new. */
  | { readonly kind: 'probe' }
  | ({ readonly kind: 'trial' } & Trial);

/** A write that is deleted again, as large as a real record. */
export interface Trial {
  readonly bytes: number;
  /**
   * Whether the pages of the embedded database are checked first: all of them, or only if the file
   * is small.
   */
  readonly integrity: 'whole' | 'small' | 'none';
}

export interface Task {
  /** Names the task in its outcome. */
  readonly ticket: number;
  /** Length of its texts, which approximates its memory. */
  readonly characters: number;
  readonly operation: RecorderTask;
}

/** Tasks in their order, or `close`: finish what was sent and end the thread. */
export type ToRecorder = readonly Task[] | 'close';

export type Result =
  /**
   * Committed. `found` = a delete found its session, feedback its interaction. `next` = there is
   * more to delete; `deleted` = interactions that a sweep deleted.
   */
  | {
      readonly status: 'committed';
      readonly found: boolean;
      readonly next?: number;
      readonly deleted?: number;
    }
  /** The session belongs to another project; nothing of the task was stored. */
  | { readonly status: 'taken' }
  | { readonly status: 'failed'; readonly message: string; readonly code: string | undefined };

export type Outcome = Result & { readonly ticket: number };

export const COMMITTED: Result = { status: 'committed', found: true };

/**
 * The outcomes of one transaction, sent after its commit. A ticket alone was committed and found
 * what it needs, as almost all are: a number crosses faster than an object.
 */
export type FromRecorder = readonly (number | Outcome)[];
