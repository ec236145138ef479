import { constants } from 'node:buffer';
import { promisify } from 'node:util';
import { deflate, deflateSync, inflate, inflateSync } from 'node:zlib';
import type { RunsTable } from '@trawl/database';

/** Below this size, compression costs more than it saves. */
const COMPRESSED_FROM_BYTES = 1024;
/** Above this size, packed or unpacked, a text is unpacked on another thread: it would take this one for a millisecond or more. */
const UNPACKED_HERE_BYTES = 32 * 1024;
const UNPACKED_HERE_TO_BYTES = 512 * 1024;
/** What the other thread unpacks at a time. */
const CHUNK_BYTES = 256 * 1024;

const inflateElsewhere = promisify(inflate);

const OPTIONS = { level: 6 };
const deflateElsewhere = promisify<Uint8Array, typeof OPTIONS, Buffer>(deflate);

/** A run's text, compressed; undefined where that makes it no smaller. */
export function compressedRunText(text: string): Uint8Array | undefined {
  const plain = Buffer.from(text, 'utf8');
  if (plain.byteLength < COMPRESSED_FROM_BYTES) return undefined;
  return ifSmaller(deflateSync(plain, OPTIONS), plain);
}

/** The same for a large text, on another thread. */
export async function compressedLargeText(text: string): Promise<Uint8Array | undefined> {
  const plain = Buffer.from(text, 'utf8');
  return ifSmaller(await deflateElsewhere(plain, OPTIONS), plain);
}

const ifSmaller = (deflated: Buffer, plain: Buffer): Buffer | undefined =>
  deflated.byteLength < plain.byteLength ? deflated : undefined;

export function decodeRunText({ encoding, body }: Pick<RunsTable, 'encoding' | 'body'>): string {
  if (typeof body === 'string') return body;
  const stored = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  switch (encoding) {
    case 'deflate':
      return inflateSync(stored).toString('utf8');
    case 'utf8':
      return stored.toString('utf8');
  }
}

/**
 * Like `decodeRunText`, and leaves the thread free while a large text is unpacked.
 * @returns undefined if it unpacks to more than this many bytes
 */
export async function unpackRunText(
  run: Pick<RunsTable, 'encoding' | 'body'>,
  bytesMax: number,
): Promise<string | undefined> {
  if (run.encoding !== 'deflate' || typeof run.body === 'string') return decodeRunText(run);
  const bytes = await unpacked(run.body, Math.min(bytesMax, constants.MAX_LENGTH));
  return bytes?.toString('utf8');
}

async function unpacked(stored: Uint8Array, bytesMax: number): Promise<Buffer | undefined> {
  if (bytesMax < 1) return undefined;
  if (stored.byteLength <= UNPACKED_HERE_BYTES) {
    const maxOutputLength = Math.min(bytesMax, UNPACKED_HERE_TO_BYTES);
    try {
      return inflateSync(stored, { maxOutputLength });
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      if (maxOutputLength === bytesMax) return undefined;
    }
  }
  try {
    return await inflateElsewhere(stored, { maxOutputLength: bytesMax, chunkSize: CHUNK_BYTES });
  } catch (error) {
    if (isTooLarge(error)) return undefined;
    throw error;
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
