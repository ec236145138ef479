import type { InteractionStore } from '@trawl/router';

/** What waits to be recorded. */
export interface RecordingBacklog {
  /** Records that wait for their commit. */
  readonly pending: () => number;
  /**
   * Whether the store records. false = a write failed, and nothing is paid until a trial succeeds.
   */
  readonly isOpen: () => Promise<boolean>;
}

/**
 * A store that reports how long its records wait for their commit.
 * @param onCommitted gets milliseconds
 */
export function observedStore(
  store: InteractionStore,
  onCommitted: (milliseconds: number) => void,
): { readonly store: InteractionStore; readonly backlog: RecordingBacklog } {
  let pending = 0;
  const write: InteractionStore['write'] = async (record, deadlineAt) => {
    const startedAt = performance.now();
    pending += 1;
    try {
      await store.write(record, deadlineAt);
      // the answer need not wait for it
      setImmediate(onCommitted, performance.now() - startedAt);
    } finally {
      pending -= 1;
    }
  };
  const isOpen = async () => (await store.problem()) === null;
  return { store: { ...store, write }, backlog: { pending: () => pending, isOpen } };
}
