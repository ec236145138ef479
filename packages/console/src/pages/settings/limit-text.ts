/** What a field of a limit says. Empty = no limit; undefined = not a number. */
export function readLimit(written: string): number | null | undefined {
  const text = written.trim().replace(/^\$/, '');
  if (text === '') return null;
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

export const writeLimit = (limit: number | null): string => (limit === null ? '' : String(limit));
