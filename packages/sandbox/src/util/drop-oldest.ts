/** Keeps at most `most` entries of a map: removes the one that was added first. */
export function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
