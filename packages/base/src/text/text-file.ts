import { readFileSync } from 'node:fs';

/**
 * Bytes that are not text. The message is the end of a sentence about the file, and says what to
 * do.
 */
export class NotTextError extends Error {}

/**
 * The text of a file that people write: UTF-8, with or without a byte order mark, which is removed.
 * Line ends stay. UTF-16, as some shells of Windows write it, is refused as a whole: a line of it
 * that is read wrongly could be paid for.
 * @throws NotTextError for anything else
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new NotTextError('is UTF-16 text; save it as UTF-8');
  }
  const text = decoded(bytes);
  if (text === undefined) throw new NotTextError('is not UTF-8 text; save it as UTF-8');
  if (text.includes('\0')) {
    throw new NotTextError(
      'is not UTF-8 text: it has NUL bytes, as UTF-16 without a byte order mark has; save it as UTF-8',
    );
  }
  return text;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Reads a file as `decodeText` does. @throws NotTextError, or the error of the system, which has a
 * code
 */
export const readTextFile = (path: string): string => decodeText(readFileSync(path));

/** Why a file of the operator was not read, as the end of a sentence about it. */
export function readFault(error: unknown): string {
  if (error instanceof NotTextError) return error.message;
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  return `cannot be read${code}; check the path and its permissions`;
}
