/**
 * So many clients at once, each doing its work again and again until `turns` are done in all, or until `until` says so.
 * What one throws ends the load and is thrown.
 */
export async function load<T>(
  options: { readonly clients: number; readonly turns: number; readonly until?: () => boolean },
  work: (turn: number) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = [];
  let next = 0;
  const client = async () => {
    while (next < options.turns && !options.until?.()) {
      const turn = next;
      next += 1;
      results.push(await work(turn));
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  return results;
}
