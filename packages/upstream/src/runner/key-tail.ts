const TAIL = 4;
/** Of a shorter key, four characters would be too much to show. */
const SHORTEST_KEY = 12;

/** The last four characters of a key, by which people know it; null if it is too short for that. */
export const keyTailOf = (key: string | undefined): string | null =>
  key === undefined || key.length < SHORTEST_KEY ? null : key.slice(-TAIL);
