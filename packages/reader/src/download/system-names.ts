import { lookup as lookUp } from 'node:dns/promises';
import { createConcurrencyGate, startCallLimit, systemClock } from '@trawl/base';

type Lookup = (hostname: string) => Promise<readonly string[]>;

export interface SystemLookupOptions {
  readonly lookup?: Lookup;
  /** The longest wait for a turn. */
  readonly waitMs?: number;
}

/** Half of the threads that Node uses for look-ups, of the 16 that we set. Calls to providers need the others. */
const SLOTS = 4;
/** Less than the time for a connection. */
const WAIT_MS = 8_000;
const LANE = 'system';

/**
 * Asks the operating system, hosts file included. A look-up occupies a thread until the system gives up, and cannot be
 * cancelled: so each name has one at a time, and all names together have few.
 */
export function createSystemLookup({
  lookup = bySystem,
  waitMs: timeoutMs = WAIT_MS,
}: SystemLookupOptions = {}): Lookup {
  const gate = createConcurrencyGate();
  const underWay = new Map<string, Promise<readonly string[]>>();

  const hasTurn = async (hostname: string): Promise<boolean> => {
    const slot = { lane: LANE, slots: SLOTS, callerId: hostname };
    if (gate.enter(slot)) return true;
    const deadlineAt = systemClock.now() + timeoutMs;
    const { signal } = new AbortController();
    const limit = startCallLimit({ clock: systemClock, timeoutMs, deadlineAt, signal });
    try {
      return await gate.wait(slot, limit);
    } finally {
      limit.release();
    }
  };

  const ask = async (hostname: string): Promise<readonly string[]> => {
    if (!(await hasTurn(hostname))) throw new Error('other look-ups took too long');
    try {
      return await lookup(hostname);
    } finally {
      gate.leave(LANE);
    }
  };

  return (hostname) => {
    const asking = underWay.get(hostname) ?? ask(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, asking);
    return asking;
  };
}

const bySystem: Lookup = async (hostname) =>
  (await lookUp(hostname, { all: true, order: 'verbatim' })).map(({ address }) => address);
