import { createTurnLine } from '@trawl/base';

/**
 * Parsing 1 MB and making rows of it takes about ten milliseconds. Answers that arrive together are read in one turn of the
 * event loop, in which no other request is served.
 */
const LARGE_BYTES = 512 * 1024;

const nextTurn = createTurnLine();

/**
 * Large bodies are read one in each turn of the event loop, so other requests are served between them.
 * @returns undefined = at once; else resolves when it is the body's turn
 */
export function turnToRead({ length }: Buffer): Promise<void> | undefined {
  return length < LARGE_BYTES ? undefined : nextTurn();
}
