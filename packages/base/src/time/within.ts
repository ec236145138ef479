/** What `within` returns when the work takes too long. */
export const LATE = Symbol('late');

/** The result of the work, or LATE when it takes longer than this. The work is not stopped. */
export async function within<Value>(
  work: Promise<Value>,
  milliseconds: number,
): Promise<Value | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
