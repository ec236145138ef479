import type { RunErrorCode } from '@trawl/contract';
import type { BreakerState } from '@trawl/upstream';
import type { RedisLog } from '../connection/link.ts';
import type { OpenCircuit } from './circuit-message.ts';

/** This replica's copy of all circuits. */
export interface CircuitCopy {
  readonly states: Map<string, BreakerState>;
  /** Takes over what another replica says; null = the circuit is closed. */
  apply(circuit: string, open: OpenCircuit | null): void;
}

export interface CircuitCopyOptions {
  /** The clock of the breaker that uses the copy: milliseconds that never go back. */
  readonly elapsed: () => number;
  readonly log: RedisLog;
  /** Of the keys that this replica has of a provider; it says nothing of them. */
  readonly markOf: (provider: string) => string;
}

/**
 * Causes that are about the provider's key. They say nothing to a replica that has another one,
 * except in a circuit that has the key in its name.
 */
const OF_KEY: readonly RunErrorCode[] = ['invalid_credential', 'quota_exhausted'];

const NO_FAILURES: BreakerState['failures'] = { faults: 0, refusals: 0, rateLimits: 0 };

export function createCircuitCopy({ elapsed, log, markOf }: CircuitCopyOptions): CircuitCopy {
  const states = new Map<string, BreakerState>();

  const open = (circuit: string, { cause, openings, openMs, mark }: OpenCircuit): void => {
    const isOfOneKey = circuit.split(':').length > 2;
    if (OF_KEY.includes(cause) && !isOfOneKey && mark !== markOf(providerOf(circuit))) return;
    const known = states.get(circuit);
    if (!known?.cause) {
      const fields = { ...fieldsOf(circuit), cause, retryAfterMs: openMs };
      log.info(fields, 'another replica opened the circuit');
    } else if (known.openings > openings) {
      // this replica has opened it since
      return;
    }
    const failures = known?.failures ?? NO_FAILURES;
    states.set(circuit, {
      failures,
      openings,
      cause,
      openUntil: elapsed() + openMs,
      probeUntil: 0,
    });
  };

  const close = (circuit: string): void => {
    if (states.get(circuit)?.cause) {
      log.info(fieldsOf(circuit), 'another replica closed the circuit');
    }
    states.delete(circuit);
  };

  return {
    states,
    apply: (circuit, state) => (state === null ? close(circuit) : open(circuit, state)),
  };
}

/** The provider of a circuit's name. */
export const providerOf = (circuit: string): string => circuit.split(':', 1)[0] ?? '';

function fieldsOf(circuit: string): object {
  return { provider: providerOf(circuit), operation: circuit.split(':')[1] };
}
