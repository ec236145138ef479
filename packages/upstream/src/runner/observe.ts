import type { RunErrorCode } from '@trawl/contract';
import type { OperationKind } from './types.ts';

/** The provider and operation of what is reported. */
export interface ObservedTarget {
  readonly slug: string;
  readonly operation: OperationKind;
}

/** One call that has ended. */
export interface ObservedCall {
  /**
   * `unsent`: no key, an open circuit, no slot in time. `empty`: a well-formed answer with nothing
   * found.
   */
  readonly outcome: 'succeeded' | 'empty' | 'failed' | 'unsent';
  /** null = it succeeded. */
  readonly code: RunErrorCode | null;
  /** Milliseconds with its retry, without the wait for a slot. */
  readonly latencyMs: number;
  /** Milliseconds of the wait for a slot. */
  readonly waitedMs: number;
}

/** What the runner reports, once for each event. The functions must be quick and must not throw. */
export interface UpstreamObserver {
  readonly called: (target: ObservedTarget, call: ObservedCall) => void;
  /**
   * One sending has ended; a call has one, or more with a retry or with other
   * keys. `code` null = it succeeded; `keyTail` null = no key was sent, or none that can be shown.
   */
  readonly attempted: (
    target: ObservedTarget,
    code: RunErrorCode | null,
    keyTail: string | null,
  ) => void;
  /** A circuit opened, or a probe failed and it stays open. */
  readonly opened: (target: ObservedTarget, cause: RunErrorCode | null) => void;
}
