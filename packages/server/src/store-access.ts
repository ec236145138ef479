import type { ReportFault } from './report-fault.ts';
import { RequestError } from './request-error.ts';
import {
  type InteractionRecord,
  type Recorder,
  SessionTakenError,
  type Store,
} from './storage/store.ts';

const RETRY_AFTER = { 'retry-after': '5' } as const;

/** @throws RequestError 503 where the store does not answer */
export function readStore<Value>(read: () => Promise<Value>): Promise<Value> {
  return orUnavailable('The store cannot be read. Try again later.', read);
}

/** @throws RequestError 503 where the store does not take it */
export function changeStore<Value>(change: () => Promise<Value>): Promise<Value> {
  return orUnavailable('The store cannot be written. Try again later.', change);
}

async function orUnavailable<Value>(detail: string, use: () => Promise<Value>): Promise<Value> {
  try {
    return await use();
  } catch (cause) {
    throw new RequestError(503, detail, { headers: RETRY_AFTER, cause });
  }
}

export interface InteractionStore {
  /**
   * To be called before anything is paid. Costs nothing while writing works; after a failed write it asks the
   * store first.
   * @throws RequestError 503: nothing was sent or billed
   */
  readonly ready: () => Promise<void>;
  /**
   * Commits an interaction. Where that fails, what was paid is still written if it can be, and the caller is told.
   * @throws RequestError 503 when it could not be recorded, 404 when another project took the session meanwhile
   */
  readonly write: (record: InteractionRecord) => Promise<void>;
}

export function createInteractionStore(
  store: Pick<Store, 'recorder' | 'ping'>,
  reportFault: ReportFault,
): InteractionStore {
  let isSuspect = false;
  return {
    ready: async () => {
      if (!isSuspect) return;
      try {
        await store.ping();
        isSuspect = false;
      } catch (cause) {
        throw new RequestError(
          503,
          'The store cannot be written, so nothing was sent or billed. Try again later.',
          { headers: RETRY_AFTER, cause },
        );
      }
    },
    write: async (record) => {
      try {
        await store.recorder.record(record);
      } catch (cause) {
        const isBilled = await writeLedger(record, store.recorder, reportFault);
        if (cause instanceof SessionTakenError) {
          throw new RequestError(404, 'Session not found', { cause });
        }
        isSuspect = true;
        throw notRecorded(isBilled, cause);
      }
    },
  };
}

async function writeLedger(
  record: InteractionRecord,
  recorder: Recorder,
  reportFault: ReportFault,
): Promise<boolean> {
  try {
    await recorder.recordLedger(record.ledger);
    return true;
  } catch (cause) {
    reportFault(cause, `the ledger rows of interaction ${record.id} could not be written`);
    return false;
  }
}

function notRecorded(isBilled: boolean, cause: unknown): RequestError {
  const ledger = isBilled ? 'are in the ledger' : 'could not be written to the ledger either';
  return new RequestError(
    503,
    `The store cannot be written: the providers were asked, but the answer could not be recorded; its upstream calls ${ledger}. Try again later.`,
    { headers: RETRY_AFTER, cause },
  );
}
