/**
 * Parsing 1 MB and making rows of it takes about ten milliseconds. Answers that arrive together are read in one turn of the
 * event loop, in which no other request is served.
 */
const LARGE_BYTES = 512 * 1024;

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Large bodies are read one in each turn of the event loop, so other requests are served between them.
 * @returns undefined = at once; else resolves when it is the body's turn
 */
export function turnToRead({ length }: Buffer): Promise<void> | undefined {
  if (length < LARGE_BYTES) return undefined;
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
}
