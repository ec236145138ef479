import type { Clock, ConcurrencyGate } from '@trawl/base';
import type { Dispatcher } from 'undici';
import type { Accesses } from './accesses.ts';
import type { BodyTurns } from './body-turns.ts';
import type { Breaker } from './breaker.ts';
import type { UpstreamObserver } from './observe.ts';
import type { RefusedParts } from './optional-parts.ts';
import type { PaceStore } from './pace.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { Secrets } from './secret.ts';
import type { UsualTimes } from './usual-time.ts';

/** Fields, then a sentence, as pino takes them. */
export interface UpstreamLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Room in memory for answers that wait to be recorded. */
export interface AnswerMemory {
  hasRoom(): boolean;
  whenRoom(): Promise<void>;
}

/** The state that all calls of one runner share. */
export interface Parts {
  readonly clock: Clock;
  readonly breaker: Breaker;
  readonly accesses: Accesses;
  readonly gate: ConcurrencyGate;
  readonly paces: PaceStore;
  readonly bodyTurns: BodyTurns;
  readonly refusedParts: RefusedParts;
  readonly usualTimes: UsualTimes;
  readonly dispatcher: Dispatcher;
  /** Each call on a connection of its own. */
  readonly newConnections: Dispatcher;
  readonly secretOf: Secrets;
  readonly keys: ProviderKeys;
  /** undefined = no limit. */
  readonly answerMemory: AnswerMemory | undefined;
  readonly maxBodyBytes: number;
  readonly retryPauseMs: number;
  readonly random: () => number;
  readonly log: UpstreamLog | undefined;
  readonly observe: UpstreamObserver | undefined;
}
