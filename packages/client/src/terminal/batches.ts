/** The server's default limit of one fetch. */
export const URLS_PER_REQUEST = 20;

/** Splits into parts of at most `size`. */
export function batchesOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}
