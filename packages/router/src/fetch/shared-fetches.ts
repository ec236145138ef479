import { setMaxListeners } from 'node:events';
import { createInProgress, createLightAbort, type LightAbort } from '@trawl/base';
import type { PageCall } from './chain.ts';
import type { ChainResult } from './chain-result.ts';

/** A chain in progress that several fetches wait for. */
interface SharedFetch {
  /** Deadline of the fetch that started it. */
  readonly deadlineAt: number;
  readonly controller: LightAbort;
  readonly result: Promise<ChainResult>;
  /** The fetches that wait; the first of them pays. */
  readonly waiting: Set<symbol>;
}

/** Equal fetches in progress at the same time share one chain. */
export interface SharedFetches {
  /**
   * The result of the chain under this key, started by `walk` if needed. It ends early only when
   * all fetches that wait for it have left. `isPayer`: it is true for exactly one of the fetches
   * that share a chain, which books the cost.
   */
  join(
    key: string,
    call: PageCall,
    walk: (call: PageCall) => Promise<ChainResult>,
  ): Promise<{ readonly result: ChainResult; readonly isPayer: boolean } | 'left'>;
}

/** A fetch does not share a chain that ends this much before its own deadline. */
const LATE_MS = 30_000;

export function createSharedFetches(): SharedFetches {
  const byKey = createInProgress<string, SharedFetch>();

  const start = (
    key: string,
    call: PageCall,
    walk: (call: PageCall) => Promise<ChainResult>,
  ): SharedFetch => {
    const controller = createLightAbort();
    const shared: SharedFetch = {
      deadlineAt: call.deadlineAt,
      controller,
      waiting: new Set(),
      result: walk({ ...call, signal: controller.signal }).finally(() => {
        if (byKey.get(key) === shared) byKey.delete(key);
      }),
    };
    byKey.set(key, shared);
    return shared;
  };

  return {
    async join(key, call, walk) {
      const running = byKey.get(key);
      const isInTime = running && call.deadlineAt - running.deadlineAt <= LATE_MS;
      const shared = isInTime ? running : start(key, call, walk);
      const waiter = Symbol(key);
      shared.waiting.add(waiter);
      const hasLeft = whenAborted(call.signal, () => {
        // the last one waits for the end, to book the cost until then
        if (shared.waiting.size > 1) {
          shared.waiting.delete(waiter);
          return true;
        }
        if (byKey.get(key) === shared) byKey.delete(key);
        shared.controller.abort();
        return false;
      });
      const waited = isInTime ? call.observer?.waited() : undefined;
      try {
        const ended = await Promise.race([shared.result, hasLeft.promise]);
        if (ended === 'left') return 'left';
        const [payer] = shared.waiting;
        return { result: ended, isPayer: payer === waiter };
      } finally {
        waited?.();
        hasLeft.release();
      }
    },
  };
}

/** Settles as `left` when the signal comes and `leave` agrees. */
function whenAborted(signal: AbortSignal, leave: () => boolean) {
  // all pages of a request share its signal: more than ten listeners are not a leak, although Node
  // would warn
  setMaxListeners(0, signal);
  let onAbort = () => {};
  const promise = new Promise<'left'>((resolve) => {
    onAbort = () => {
      if (leave()) resolve('left');
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  return { promise, release: () => signal.removeEventListener('abort', onAbort) };
}
