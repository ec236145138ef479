import { deflateSync, inflateSync } from 'node:zlib';
import type { RunEncoding, RunsTable } from '../database/tables.ts';

/** Below this size, compression costs more than it saves. */
const COMPRESSED_FROM_BYTES = 1024;

/** Encodes a run's text for storage: compressed if that makes it smaller. */
export function encodeRunText(text: string): { encoding: RunEncoding; body: Uint8Array } {
  const plain = Buffer.from(text, 'utf8');
  if (plain.byteLength >= COMPRESSED_FROM_BYTES) {
    // Level 1: the writer's time is more precious than disk space.
    const deflated = deflateSync(plain, { level: 1 });
    if (deflated.byteLength < plain.byteLength) return { encoding: 'deflate', body: deflated };
  }
  return { encoding: 'utf8', body: plain };
}

export function decodeRunText({ encoding, body }: Pick<RunsTable, 'encoding' | 'body'>): string {
  const stored =
    body instanceof ArrayBuffer
      ? Buffer.from(body)
      : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  switch (encoding) {
    case 'deflate':
      return inflateSync(stored).toString('utf8');
    case 'utf8':
      return stored.toString('utf8');
  }
}
