import type { CallLimit } from './call-limit.ts';

/** Bounds the calls under way at once, for each provider by itself. */
export interface ConcurrencyGate {
  /** true = entered at once. A promise = in the queue: true when a slot came, false when the call's time was over. */
  enter(slug: string, concurrency: number, limit: CallLimit): true | Promise<boolean>;
  /** Gives the slot back; once for each entry. */
  leave(slug: string): void;
}

interface Waiter {
  readonly concurrency: number;
  readonly admit: () => void;
}

interface Lane {
  active: number;
  /** First come, first served; a set, so that leaving from the middle costs nothing. */
  readonly waiting: Set<Waiter>;
}

/** A semaphore by hand: the free case is synchronous, which a promise queue cannot be. */
export function createConcurrencyGate(): ConcurrencyGate {
  const lanes = new Map<string, Lane>();

  const laneOf = (slug: string): Lane => {
    const known = lanes.get(slug);
    if (known) return known;
    const lane: Lane = { active: 0, waiting: new Set() };
    lanes.set(slug, lane);
    return lane;
  };

  return {
    enter(slug, concurrency, limit) {
      const lane = laneOf(slug);
      const slots = Math.max(1, concurrency);
      if (lane.waiting.size === 0 && lane.active < slots) {
        lane.active += 1;
        return true;
      }
      return new Promise((resolve) => {
        const waiter: Waiter = {
          concurrency: slots,
          admit: () => {
            limit.onEnd(undefined);
            resolve(true);
          },
        };
        lane.waiting.add(waiter);
        limit.onEnd(() => {
          lane.waiting.delete(waiter);
          resolve(false);
        });
      });
    },
    leave(slug) {
      const lane = laneOf(slug);
      lane.active -= 1;
      for (const waiter of lane.waiting) {
        if (lane.active >= waiter.concurrency) return;
        lane.waiting.delete(waiter);
        lane.active += 1;
        waiter.admit();
      }
    },
  };
}
