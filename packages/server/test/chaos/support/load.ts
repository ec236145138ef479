/**
 * Runs this many clients at once. Each repeats its work until `turns` are done in total, or until
 * `until` says so. An error of one client ends the load: it is thrown when all clients have
 * finished their current turn.
 */
export async function load<T>(
  options: { readonly clients: number; readonly turns: number; readonly until?: () => boolean },
  work: (turn: number) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const client = async () => {
    while (next < options.turns && failures.length === 0 && !options.until?.()) {
      const turn = next;
      next += 1;
      try {
        results.push(await work(turn));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  if (failures.length > 0) throw failures[0];
  return results;
}
