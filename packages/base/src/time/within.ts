/** What `within` returns when the work takes too long. */
export const LATE = Symbol('late');

/** The result of the work, or LATE when it takes longer than this. The work is not stopped. */
export function within<Value>(
  work: Promise<Value>,
  milliseconds: number,
): Promise<Value | typeof LATE> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(LATE), milliseconds);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
