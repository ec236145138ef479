import type { BreakerStore } from '@trawl/upstream';
import { AWAY, type RedisLink } from '../connection/link.ts';
import { type CircuitCopyOptions, createCircuitCopy, providerOf } from './circuit-copy.ts';
import { type CircuitMessage, readCircuitMessage } from './circuit-message.ts';
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
