import { readFileSync } from 'node:fs';

/** Bytes that are not text. The message is the end of a sentence about the file, and says what to do. */
export class NotTextError extends Error {}

const MARKS = [
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/**
 * The text of a file that people write: UTF-8, with or without a byte order mark, or UTF-16 with one, as editors and shells of
 * Windows write it. The mark is removed. Line ends stay.
 * @throws NotTextError for anything else
 */
export function decodeText(bytes: Uint8Array): string {
  const mark = MARKS.find((known) => known.bytes.every((byte, index) => bytes[index] === byte));
  const text = decoded(bytes, mark?.encoding ?? 'utf-8');
  if (text === undefined) {
    const wanted = mark === undefined ? 'UTF-8' : 'valid UTF-16';
    throw new NotTextError(`is not ${wanted} text; save it as UTF-8`);
  }
  if (text.includes('\0')) {
    throw new NotTextError(
      'is not UTF-8 text: it has NUL bytes, as UTF-16 without a byte order mark has; save it as UTF-8',
    );
  }
  return text;
}

function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Reads a file as `decodeText` does. @throws NotTextError, or the error of the system, which has a code */
export const readTextFile = (path: string): string => decodeText(readFileSync(path));

/** Why a file of the operator was not read, as the end of a sentence about it. */
export function readFault(error: unknown): string {
  if (error instanceof NotTextError) return error.message;
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  return `cannot be read${code}; check the path and its permissions`;
}
