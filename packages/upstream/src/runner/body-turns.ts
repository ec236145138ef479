import { createTurnLine } from '@trawl/base';

/** The order in which the large bodies of a runner are unpacked and read. */
export interface BodyTurns {
  readonly unpack: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Resolves when it is the turn of this body. */
  readonly read: () => Promise<void>;
}

/** Large bodies that are unpacked at one time. */
const UNPACKED_AT_ONCE = 2;

export function createBodyTurns(): BodyTurns {
  let unpacking = 0;
  const waiting: (() => void)[] = [];
  return {
    // the memory of many bombs that are unpacked at once is not given back to the system
    unpack: async (work) => {
      if (unpacking < UNPACKED_AT_ONCE) unpacking += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else unpacking -= 1;
      }
    },
    // one in each turn of the event loop, so that other requests are served between them
    read: createTurnLine(),
  };
}
