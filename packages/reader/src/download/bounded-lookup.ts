import { createConcurrencyGate, startDeadline } from '@trawl/base';

export type Lookup = (hostname: string) => Promise<readonly string[]>;

export interface BoundedLookupOptions {
  readonly lookup: Lookup;
  /** Names that are looked up at the same time. */
  readonly slots: number;
  /** The longest wait for a turn. */
  readonly waitMs?: number;
}

/** Less than the time for a connection. */
const WAIT_MS = 8_000;
const LANE = 'names';

/**
 * A look-up with one call at a time for each name, and few for all names together. Others wait for
 * their turn.
 */
export function createBoundedLookup({
  lookup,
  slots,
  waitMs: timeoutMs = WAIT_MS,
}: BoundedLookupOptions): Lookup {
  const gate = createConcurrencyGate();
  const inProgress = new Map<string, Promise<readonly string[]>>();

  const hasTurn = async (hostname: string): Promise<boolean> => {
    const slot = { lane: LANE, slots, callerId: hostname };
    if (gate.enter(slot)) return true;
    const deadline = startDeadline({ timeoutMs });
    try {
      return await gate.wait(slot, deadline);
    } finally {
      deadline.release();
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
    const asking =
      inProgress.get(hostname) ?? ask(hostname).finally(() => inProgress.delete(hostname));
    inProgress.set(hostname, asking);
    return asking;
  };
}
