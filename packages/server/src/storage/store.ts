import type { UsageReader } from '../billing/records.ts';
import type { InteractionReader, Recorder, SessionSummaryReader } from '../interaction/store.ts';
import type { KeyStore } from '../keys/records.ts';
import type { RunReader } from '../topics/run-records.ts';
import type { Trial } from './recorder-protocol.ts';

export interface Store {
  readonly reader: InteractionReader;
  readonly usage: UsageReader;
  readonly runs: RunReader;
  readonly sessionSummaries: SessionSummaryReader;
  readonly recorder: Recorder;
  readonly keys: KeyStore;
  /** The value kept under `name`, set to `initial` when there is none. */
  setting(name: string, initial: string): Promise<string>;
  /** Resolves when the database answers and a small row can be written. */
  ping(): Promise<void>;
  /** Resolves when a record of this size could be written. It is deleted again. */
  trial(trial: Trial): Promise<void>;
  close(): Promise<void>;
}
