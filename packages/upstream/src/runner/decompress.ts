import zlib from 'node:zlib';
import { contentCodings } from '@trawl/base';
import type { BodyTurns } from './body-turns.ts';

/** Why a body could not be read. `cut`: it ended too early. */
export type BodyFault = 'cut' | 'corrupt' | 'too_large' | 'unknown_encoding';

type Decoder = (bytes: Buffer) => {
  readonly sync: (bytes: Buffer, options: zlib.ZlibOptions) => Buffer;
  readonly async: (
    bytes: Buffer,
    options: zlib.ZlibOptions,
    done: (error: Error | null, result: Buffer) => void,
  ) => void;
};

const gzip = () => ({ sync: zlib.gunzipSync, async: zlib.gunzip });

/**
 * By content coding. `deflate` officially means zlib's frame; some servers send the bare stream.
 */
const DECODERS = new Map<string, Decoder>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  [
    'deflate',
    (bytes) =>
      hasZlibHeader(bytes)
        ? { sync: zlib.inflateSync, async: zlib.inflate }
        : { sync: zlib.inflateRawSync, async: zlib.inflateRaw },
  ],
  ['br', () => ({ sync: zlib.brotliDecompressSync, async: zlib.brotliDecompress })],
]);

/**
 * In this thread up to these sizes: handing 10 KB to zlib's pool costs more than unpacking it (60
 * against 25 µs). A body that unpacks to more than the second limit goes to the pool, so a bomb
 * cannot block the event loop.
 */
const SYNC_INPUT_MAX_BYTES = 64 * 1024;
const SYNC_OUTPUT_MAX_BYTES = 1024 * 1024;

/** Instead of 16 KB: a thousand small pieces of one body leave holes in the process's memory. */
const LARGE_CHUNK_BYTES = 1024 * 1024;

/** Unpacks a whole body. No copy if there is nothing to unpack. */
export async function decompress(
  bytes: Buffer,
  contentEncoding: string,
  maxBytes: number,
  turns: BodyTurns,
): Promise<Buffer | BodyFault> {
  const [coding, ...others] = contentCodings(contentEncoding);
  if (coding === undefined || bytes.length === 0) return bytes;
  const decoder = DECODERS.get(coding)?.(bytes);
  if (decoder === undefined || others.length > 0) return 'unknown_encoding';
  if (bytes.length <= SYNC_INPUT_MAX_BYTES) {
    const maxOutputLength = Math.min(SYNC_OUTPUT_MAX_BYTES, maxBytes);
    try {
      return decoder.sync(bytes, { maxOutputLength });
    } catch (error) {
      const fault = faultOf(error);
      if (fault !== 'too_large' || maxOutputLength === maxBytes) return fault;
    }
  }
  return turns.unpack(() => unpackInPool(decoder, bytes, maxBytes));
}

const unpackInPool = (
  decoder: ReturnType<Decoder>,
  bytes: Buffer,
  maxOutputLength: number,
): Promise<Buffer | BodyFault> =>
  new Promise((resolve) => {
    decoder.async(bytes, { maxOutputLength, chunkSize: LARGE_CHUNK_BYTES }, (error, result) => {
      resolve(error ? faultOf(error) : result);
    });
  });

/** RFC 1950: method 8 in the low bits, and the first two bytes are a multiple of 31. */
function hasZlibHeader(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

function faultOf(error: unknown): BodyFault {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'too_large';
  return code === 'Z_BUF_ERROR' ? 'cut' : 'corrupt';
}
