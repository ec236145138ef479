import { PassThrough, type Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';

export type BodyFault = 'broken' | 'too_large';

const CHUNK_BYTES = 64 * 1024;
const options = { chunkSize: CHUNK_BYTES };
const gunzip = () => zlib.createGunzip(options);

/** By content coding. `deflate` means zlib's frame by the letter and the bare stream with some servers. */
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
 * Unpacks a body as it comes, and ends it when it grows larger than the bound, packed or unpacked.
 * @param isCut what came within the bound will do
 */
export async function readBody(
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
    // the pipeline would wait for the body's next piece, which may never come
    decoder.on('error', () => body.destroy());
    await pipeline(packed(first.value), decoder, async (unpacked: AsyncIterable<Buffer>) => {
      for await (const chunk of unpacked) {
        if (!collected.add(chunk)) throw tooLarge();
      }
    });
    return collected.bytes();
  } catch {
    if (!isTooLarge) return 'broken';
    return isCut ? collected.bytes() : 'too_large';
  } finally {
    body.destroy();
  }
}

/**
 * Copies into one buffer that grows by doubling. A list of chunks would cost a hundred times its bytes when a server
 * sends them one by one.
 */
function collectBytes(maxBytes: number) {
  let buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, maxBytes));
  let size = 0;
  return {
    /** false once there is too much; what fits is taken. */
    add(whole: Buffer): boolean {
      const chunk = whole.subarray(0, maxBytes - size);
      const needed = size + chunk.length;
      if (needed > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(
          Math.min(maxBytes, Math.max(needed, 2 * buffer.length)),
        );
        buffer.copy(larger, 0, 0, size);
        buffer = larger;
      }
      chunk.copy(buffer, size);
      size = needed;
      return chunk.length === whole.length;
    },
    /** A copy that fills its memory exactly, so that it can be handed to another thread. */
    bytes: (): Uint8Array<ArrayBuffer> => new Uint8Array(buffer.subarray(0, size)),
  };
}
