import type { RunErrorCode } from '@trawl/contract';
import type { BreakerState, BreakerStore } from '@trawl/upstream';
import { AWAY, type RedisLink, type RedisLog } from '../connection/link.ts';
import { type CircuitMessage, type OpenCircuit, readCircuitMessage } from './circuit-message.ts';
import {
  claimProbe,
  closeCircuit,
  openCircuit,
  readCircuits,
  releaseProbe,
} from './circuit-scripts.ts';

/**
 * Circuits that open and close on all replicas. Each replica reads its own copy and counts failures
 * separately; what is shared is that a circuit opened or closed, and who may probe.
 */
export function createSharedCircuits(link: RedisLink, options: CircuitCopyOptions): BreakerStore {
  const { states, apply } = createCircuitCopy(options);
  /** Circuits that changed here while Redis was away. */
  const unshared = new Set<string>();
  const channel = link.key('circuits');
  const keysOf = (circuit: string) => [link.key('circuits'), link.key(`probe:${circuit}`), channel];

  const share = async (circuit: string): Promise<void> => {
    const state = states.get(circuit);
    const openMs = Math.max(0, (state?.openUntil ?? 0) - options.elapsed());
    const reply = await link.ask('circuit', (send) => {
      if (!state?.cause) return closeCircuit(send, keysOf(circuit), [circuit, link.id]);
      const figures = [String(state.openings), String(openMs), options.markOf(providerOf(circuit))];
      return openCircuit(send, keysOf(circuit), [circuit, state.cause, ...figures, link.id]);
    });
    if (reply === AWAY) unshared.add(circuit);
  };

  /** What changed on either side while Redis was away. */
  const meetAgain = async (): Promise<void> => {
    const keys = [link.key('circuits')];
    const before = new Map(states);
    const reply = await link.ask('circuit', (send) => readCircuits(send, keys, []));
    if (!Array.isArray(reply)) return;
    const found = reply.flatMap((text): CircuitMessage[] => {
      const message = readCircuitMessage(String(text));
      return message === undefined || unshared.has(message.circuit) ? [] : [message];
    });
    const named = new Set([...unshared, ...found.map(({ circuit }) => circuit)]);
    for (const { circuit, open } of found) apply(circuit, open);
    for (const [circuit, known] of before) {
      // one that changed since Redis was read says more than what was read
      const isStale = known.cause !== null && states.get(circuit) === known;
      if (isStale && !named.has(circuit)) apply(circuit, null);
    }
    const changed = [...unshared];
    unshared.clear();
    await Promise.all(changed.map(share));
  };

  link.listen(channel, (text) => {
    const message = readCircuitMessage(text);
    if (message && message.from !== link.id) apply(message.circuit, message.open);
  });
  link.onState((isUp) => {
    if (isUp) void meetAgain();
  });

  return {
    get: (circuit) => states.get(circuit),
    set(circuit, state) {
      const before = states.get(circuit);
      states.set(circuit, state);
      if (state.cause === null) return;
      const isProbeOver = before !== undefined && before.probeUntil > 0 && state.probeUntil === 0;
      if (state.openings !== before?.openings) void share(circuit);
      else if (isProbeOver) {
        const keys = [link.key(`probe:${circuit}`)];
        void link.ask('circuit', (send) => releaseProbe(send, keys, [link.id]));
      }
    },
    delete(circuit) {
      const wasOpen = Boolean(states.get(circuit)?.cause);
      states.delete(circuit);
      if (wasOpen) void share(circuit);
    },
    async claimProbe(circuit, leaseMs) {
      const values = [circuit, link.id, String(Math.max(1, Math.ceil(leaseMs)))];
      const reply = await link.ask('circuit', (send) => claimProbe(send, keysOf(circuit), values));
      return reply === AWAY || reply === 1;
    },
  };
}

/** This replica's copy of all circuits. */
interface CircuitCopy {
  readonly states: Map<string, BreakerState>;
  /** Takes over what another replica says; null = the circuit is closed. */
  apply(circuit: string, open: OpenCircuit | null): void;
}

interface CircuitCopyOptions {
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

function createCircuitCopy({ elapsed, log, markOf }: CircuitCopyOptions): CircuitCopy {
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
const providerOf = (circuit: string): string => circuit.split(':', 1)[0] ?? '';

function fieldsOf(circuit: string): object {
  return { provider: providerOf(circuit), operation: circuit.split(':')[1] };
}
