import { promisify } from 'node:util';
import { deflate, deflateSync, inflateSync } from 'node:zlib';
import type { RunsTable } from '@trawl/database';

/** Below this size, compression costs more than it saves. */
const COMPRESSED_FROM_BYTES = 1024;

const OPTIONS = { level: 6 };
const deflateAside = promisify<Uint8Array, typeof OPTIONS, Buffer>(deflate);

/** A run's text, compressed; undefined where that makes it no smaller. */
export function compressedRunText(text: string): Uint8Array | undefined {
  const plain = Buffer.from(text, 'utf8');
  if (plain.byteLength < COMPRESSED_FROM_BYTES) return undefined;
  return ifSmaller(deflateSync(plain, OPTIONS), plain);
}

/** The same for a large text, on a thread of its own. */
export async function compressedLargeText(text: string): Promise<Uint8Array | undefined> {
  const plain = Buffer.from(text, 'utf8');
  return ifSmaller(await deflateAside(plain, OPTIONS), plain);
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
