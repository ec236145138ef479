import { PassThrough, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';

export type BodyFault = 'broken' | 'too_large';

const CHUNK_BYTES = 64 * 1024;
const options = { chunkSize: CHUNK_BYTES };
const gunzip = () => zlib.createGunzip(options);

/**
 * By content coding. `deflate` means the zlib format by the standard, but some servers send the raw
 * stream.
 */
const DECODERS: Readonly<Record<string, (firstByte: number) => Transform>> = {
  '': () => new PassThrough(),
  identity: () => new PassThrough(),
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: (firstByte) =>
    (firstByte & 0x0f) === 8 ? zlib.createInflate(options) : zlib.createInflateRaw(options),
  br: () => zlib.createBrotliDecompress(options),
};

/** Whether a body in this content coding can be unpacked. */
export function isKnownCoding(coding: string): boolean {
  return Object.hasOwn(DECODERS, coding);
}

/**
 * Unpacks a body while it arrives, and stops when it exceeds the limit, packed or unpacked.
 * @param isCut a body above the limit is cut instead of refused
 */
export async function decodeBody(
  body: Readable,
  coding: string,
  maxBytes: number,
  isCut = false,
): Promise<Uint8Array | BodyFault> {
  const collected = collectBytes(maxBytes);
  let packedBytes = 0;
  let isTooLarge = false;
  const tooLarge = (): Error => {
    isTooLarge = true;
    return new Error('too large');
  };
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  const packed = async function* (first: Buffer) {
    yield first;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
      packedBytes += next.value.length;
      if (packedBytes > maxBytes) throw tooLarge();
      yield next.value;
    }
  };
  try {
    const first = await chunks.next();
    if (first.done === true) return collected.bytes();
    packedBytes = first.value.length;
    const decoder = DECODERS[coding]?.(first.value[0] ?? 0) ?? new PassThrough();
    // otherwise the pipeline waits for the next chunk of the body, which may never come
    decoder.on('error', () => body.destroy());
    await pipeline(packed(first.value), decoder, async (unpacked: AsyncIterable<Buffer>) => {
      for await (const chunk of unpacked) {
        if (!collected.add(chunk)) throw tooLarge();
      }
    });
    return collected.bytes();
  } catch {
    if (isTooLarge && isCut) return collected.bytes();
    collected.drop();
    return isTooLarge ? 'too_large' : 'broken';
  } finally {
    body.destroy();
  }
}

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
