import type { IncomingMessage } from 'node:http';
import { contentCodings } from '@trawl/base';
import { TOO_LARGE, unpackerOf } from './unpack.ts';

export type BodyFault = 'broken' | 'too_large' | 'unknown_coding';

/** A body, unpacked. */
export interface DecodedBody {
  readonly bytes: Uint8Array;
  /** It ended too early, or not all of it could be unpacked. */
  readonly isPartial: boolean;
}

/** Each coding multiplies the work of the one before. */
const CODINGS_MAX = 3;

/**
 * Unpacks a body while it arrives, and stops when it exceeds the limit, packed or unpacked.
 * @param isCut a body above the limit is cut instead of refused
 */
export async function decodeBody(
  body: IncomingMessage,
  contentEncoding: string,
  maxBytes: number,
  isCut = false,
): Promise<DecodedBody | BodyFault> {
  const codings = contentCodings(contentEncoding);
  const unpackers = codings.flatMap((coding) => unpackerOf(coding) ?? []).reverse();
  if (unpackers.length < codings.length || codings.length > CODINGS_MAX) return 'unknown_coding';
  let isBroken = false;
  const onBroken = (): void => {
    isBroken = true;
  };
  const packed = unpackers.length > 0 ? limited(body, maxBytes) : body[Symbol.asyncIterator]();
  const unpacked = unpackers.reduce<AsyncIterator<Buffer>>(
    (stream, unpack) => unpack(stream, { maxBytes, onBroken }),
    packed,
  );
  const collected = collectBytes(maxBytes);
  try {
    for (let next = await unpacked.next(); next.done !== true; next = await unpacked.next())
      if (!collected.add(next.value)) throw TOO_LARGE;
    const bytes = collected.bytes();
    const isPartial = isBroken || !body.complete;
    return isPartial && bytes.length === 0 ? 'broken' : { bytes, isPartial };
  } catch (error) {
    if (error === TOO_LARGE && isCut) return { bytes: collected.bytes(), isPartial: false };
    collected.drop();
    return error === TOO_LARGE ? 'too_large' : 'broken';
  } finally {
    body.destroy();
    await unpacked.return?.();
  }
}

async function* limited(body: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw TOO_LARGE;
    yield chunk;
  }
}

const CHUNK_BYTES = 64 * 1024;

/**
 * Copies into one buffer that grows in place: address space is reserved first, memory is taken as
 * it fills. A buffer that doubles would leave copies until the next garbage collection. A list of
 * chunks would cost a hundred times its bytes when a server sends single bytes.
 */
function collectBytes(maxBytes: number) {
  const buffer = new ArrayBuffer(0, { maxByteLength: maxBytes });
  let size = 0;
  return {
    /** false = the limit is exceeded; what fits is kept. */
    add(whole: Uint8Array): boolean {
      const chunk = whole.subarray(0, maxBytes - size);
      const needed = size + chunk.length;
      if (needed > buffer.byteLength) {
        buffer.resize(Math.min(maxBytes, Math.max(needed, CHUNK_BYTES, 2 * buffer.byteLength)));
      }
      new Uint8Array(buffer, size, chunk.length).set(chunk);
      size = needed;
      return chunk.length === whole.length;
    },
    /**
     * What was collected, in memory of its own, so that it can be transferred to another thread.
     */
    bytes(): Uint8Array<ArrayBuffer> {
      buffer.resize(size);
      return new Uint8Array(buffer, 0, size);
    },
    /** Frees the memory at once. */
    drop: (): void => buffer.resize(0),
  };
}
