/**
 * Runs steps of a stop one after the other, each also after one that failed: a part that does not close must not keep what was
 * paid from being recorded.
 * @throws the first failure, at the end
 */
export async function inTurn(steps: readonly (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
