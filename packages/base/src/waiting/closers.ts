/** What was opened. A start that fails and a stop close it in the same way: the last first. */
export interface Closers {
  readonly push: (close: () => unknown) => void;
  /**
   * Closes all, each also after one that failed: a part that does not close must not keep what was
   * paid from being recorded.
   * @throws the first failure, at the end
   */
  readonly close: () => Promise<void>;
}

export function createClosers(): Closers {
  const steps: (() => unknown)[] = [];
  return {
    push: (close) => void steps.unshift(close),
    close: async () => {
      const failures: unknown[] = [];
      for (const step of steps.splice(0)) {
        try {
          await step();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
