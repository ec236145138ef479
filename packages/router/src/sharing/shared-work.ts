import { setMaxListeners } from 'node:events';
import { createInProgress, createLightAbort, type LightAbort } from '@trawl/base';
import type { Call } from '../interaction/head.ts';

/** What several callers may wait for. */
export interface SharedJob<OneCall, Result, Tag> {
  readonly start: (call: OneCall) => Promise<Result>;
  /**
   * Until it resolves, callers that come later get the result too; undefined = none do. `payer`:
   * the tag of the caller that pays.
   */
  readonly keep?: (result: Result, payer: Tag) => Promise<void> | undefined;
}

/** The result of shared work, as one of its callers gets it. */
export interface Shared<Result, Tag> {
  readonly result: Result;
  /** Whether this caller began the work. */
  readonly isStarter: boolean;
  /** True for exactly one of the callers, which books the cost. */
  readonly isPayer: boolean;
  /** The tag of that one. */
  readonly payer: Tag;
}

/** Equal work in progress at the same time is done once. */
export interface SharedWork<OneCall, Result, Tag> {
  /**
   * The result of the work under this key, which is started if needed. It ends early only when all
   * callers that wait for it have left. A caller that left before the end gets `left`; the first
   * one that stayed pays.
   */
  join(
    key: string,
    call: OneCall,
    tag: Tag,
    work: SharedJob<OneCall, Result, Tag>,
  ): Promise<Shared<Result, Tag> | 'left'>;
  /** How many works have ended and are not kept any more. */
  readonly ended: () => number;
}

export interface SharingOptions {
  /** A caller does not join work that ends this much before its own deadline. Default never. */
  readonly lateMs?: number;
}

interface Running<Result, Tag> {
  /** Deadline of the caller that started it. */
  readonly deadlineAt: number;
  readonly controller: LightAbort;
  readonly result: Promise<Result>;
  /** The callers that wait; the first of them pays. */
  readonly waiting: Map<symbol, Tag>;
}

export function createSharedWork<OneCall extends Call, Result, Tag>({
  lateMs = Number.POSITIVE_INFINITY,
}: SharingOptions = {}): SharedWork<OneCall, Result, Tag> {
  const byKey = createInProgress<string, Running<Result, Tag>>();
  let ended = 0;

  const begin = (key: string, call: OneCall, { start, keep }: SharedJob<OneCall, Result, Tag>) => {
    const controller = createLightAbort();
    const end = () => {
      if (byKey.get(key) === running) byKey.delete(key);
      ended += 1;
    };
    const running: Running<Result, Tag> = {
      deadlineAt: call.deadlineAt,
      controller,
      waiting: new Map(),
      result: start({ ...call, signal: controller.signal }).then(
        (result) => {
          const [payer] = running.waiting.values();
          const kept = payer === undefined ? undefined : keep?.(result, payer);
          if (kept === undefined) end();
          else kept.then(end, end);
          return result;
        },
        (error: unknown) => {
          end();
          throw error;
        },
      ),
    };
    byKey.set(key, running);
    return running;
  };

  return {
    ended: () => ended,
    async join(key, call, tag, work) {
      const known = byKey.get(key);
      const isInTime = known !== undefined && call.deadlineAt - known.deadlineAt <= lateMs;
      const shared = isInTime ? known : begin(key, call, work);
      const waiter = Symbol(key);
      shared.waiting.set(waiter, tag);
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
        const result = await Promise.race([shared.result, hasLeft.promise]);
        if (result === LEFT) return 'left';
        const [payer] = shared.waiting;
        const [first, payerTag] = payer ?? [waiter, tag];
        return { result, isStarter: !isInTime, isPayer: first === waiter, payer: payerTag };
      } finally {
        waited?.();
        hasLeft.release();
      }
    },
  };
}

const LEFT = Symbol('left');

/** Settles as LEFT when the signal comes and `leave` agrees. */
function whenAborted(signal: AbortSignal, leave: () => boolean) {
  // all parts of a request share its signal: more than ten listeners are not a leak, although Node
  // would warn
  setMaxListeners(0, signal);
  let onAbort = () => {};
  const promise = new Promise<typeof LEFT>((resolve) => {
    onAbort = () => {
      if (leave()) resolve(LEFT);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  return { promise, release: () => signal.removeEventListener('abort', onAbort) };
}
