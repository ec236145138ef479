import type {
  Agreements,
  AnswerReader,
  InteractionReader,
  KeyStore,
  NamedKeyReader,
  ProviderReader,
  Recorder,
  SessionSummaryReader,
  UsageReader,
} from '@trawl/router';
import type { AccountStore } from '../accounts/account-store.ts';
import type { AlertLog } from '../alerts/alert-log.ts';
import type { HealthStore } from '../health/health-store.ts';
import type { ProviderKeyStore } from '../keys/provider-key-store.ts';
import type { LeasesOptions } from '../leases/leases.ts';
import type { LoginStore } from '../logins/login-store.ts';
import type { ProjectStore } from '../projects/project-store.ts';
import type { KeyUsageReader } from '../readers/key-usage.ts';
import type { RunReader } from '../readers/run-records.ts';
import type { ConsoleSessionReader } from '../readers/sessions/reader.ts';
import type { Trial } from '../recorder/recorder-protocol.ts';
import type { Sweeps } from '../retention/sweeps.ts';
import type { WatchStore } from '../watches/watch-store.ts';

/** What the audit log records the changes of: all of it in one transaction. */
export type Changeable = Pick<
  Store,
  'keys' | 'projects' | 'accounts' | 'logins' | 'providerKeys' | 'health'
>;

export interface Store {
  readonly reader: InteractionReader;
  readonly usage: UsageReader;
  readonly runs: RunReader;
  readonly providers: ProviderReader;
  readonly answers: AnswerReader;
  readonly namedKeys: NamedKeyReader;
  readonly sessionSummaries: SessionSummaryReader;
  readonly consoleSessions: ConsoleSessionReader;
  readonly projects: ProjectStore;
  readonly recorder: Recorder;
  readonly keys: KeyStore;
  readonly keyUsage: KeyUsageReader;
  readonly providerKeys: ProviderKeyStore;
  readonly accounts: AccountStore;
  readonly logins: LoginStore;
  readonly sweeps: Sweeps;
  readonly alerts: AlertLog;
  readonly health: HealthStore;
  readonly watches: WatchStore;
  /**
   * What the servers of a shared database agree on; null on the embedded one, which has one server.
   */
  readonly openLeases: ((options: LeasesOptions) => Agreements) | null;
  /**
   * Runs changes, and writes the audit entries about them, in one transaction: all of them are
   * stored or none. The work writes by what it is passed only, since other writes wait for its end.
   */
  changing<Value>(work: (stores: Changeable) => Promise<Value>): Promise<Value>;
  /** The value stored under `name`; stores `initial` if it is missing. */
  setting(name: string, initial: string): Promise<string>;
  /** Resolves when the database answers and a small row can be written. */
  ping(): Promise<void>;
  /** Resolves when a record of this size could be written. It is deleted again. */
  trial(trial: Trial): Promise<void>;
  close(): Promise<void>;
}
