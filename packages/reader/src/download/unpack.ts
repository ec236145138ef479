import type { Transform } from 'node:stream';
import zlib from 'node:zlib';

type Packed = AsyncIterator<Buffer>;

export interface UnpackingLimits {
  /** More than this ends with TOO_LARGE. */
  readonly maxBytes: number;
  /**
   * Called when the bytes are not packed as they should be, or end too early; those before count.
   */
  readonly onBroken: () => void;
}

type Unpacker = (packed: Packed, limits: UnpackingLimits) => AsyncGenerator<Buffer, unknown>;

export const TOO_LARGE = new Error('too large');

const options = { chunkSize: 64 * 1024 };

/** By content coding. */
const UNPACKERS = new Map<string, Unpacker>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', (packed, limits) => through(zlib.createBrotliDecompress(options), packed, limits)],
]);

/** How a content coding is unpacked; undefined = it cannot be. */
export const unpackerOf = (coding: string): Unpacker | undefined => UNPACKERS.get(coding);

/**
 * `deflate` means the zlib format by the standard, but some servers send the raw stream. Frames
 * with checksums are taken off: Node.js drops text when they are wrong or something follows, and
 * browsers do not read them.
 */
async function* inflate(packed: Packed, limits: UnpackingLimits) {
  const { bytes } = await bytesOf(packed, NOTHING, ZLIB_HEADER_BYTES);
  if (bytes.length === 0) return;
  const isZlib = ((bytes[0] ?? 0) & 0x0f) === 8;
  const start = isZlib ? bytes.subarray(ZLIB_HEADER_BYTES) : bytes;
  yield* through(zlib.createInflateRaw(options), prefixed(start, packed), limits);
}

const ZLIB_HEADER_BYTES = 2;
const TRAILER_BYTES = 8;
const MAGIC = Buffer.from([0x1f, 0x8b]);

/** Browsers read the first member only. Some archives of the web have one for each part. */
async function* gunzip(packed: Packed, limits: UnpackingLimits) {
  const first = await bytesOf(packed, NOTHING, 1);
  if (first.isDone) return;
  const start = await withoutHeader(first.bytes, packed);
  if (start === null) return limits.onBroken();
  const left = yield* through(zlib.createInflateRaw(options), prefixed(start, packed), limits);
  const { bytes } = await bytesOf(packed, left, TRAILER_BYTES + MAGIC.length);
  const next = bytes.subarray(TRAILER_BYTES);
  if (next.subarray(0, MAGIC.length).equals(MAGIC))
    yield* through(zlib.createGunzip(options), prefixed(next, packed), limits);
}

/** Far more than a server writes there. */
const HEADER_MAX_BYTES = 16 * 1024;

/** The bytes after a gzip header (RFC 1952 2.3); null = absent. */
async function withoutHeader(first: Buffer, packed: Packed): Promise<Buffer | null> {
  let bytes = first;
  const upTo = async (length: number): Promise<boolean> => {
    const read = await bytesOf(packed, bytes, length);
    bytes = read.bytes;
    return !read.isDone && length <= HEADER_MAX_BYTES;
  };
  if (!(await upTo(10)) || !bytes.subarray(0, 2).equals(MAGIC)) return null;
  const flags = bytes[3] ?? 0;
  let at = 10;
  if (flags & 4) {
    if (!(await upTo(at + 2))) return null;
    at += 2 + bytes.readUInt16LE(at);
  }
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue;
    while ((await upTo(at + 1)) && bytes[at] !== 0) at += 1;
    at += 1;
  }
  if (flags & 2) at += 2;
  return (await upTo(at)) ? bytes.subarray(at) : null;
}

const NOTHING = Buffer.alloc(0);

/** At least so many bytes, the first of them given; fewer if there are no more. */
async function bytesOf(packed: Packed, first: Buffer, length: number) {
  let bytes = first;
  while (bytes.length < length) {
    const next = await packed.next();
    if (next.done === true) return { bytes, isDone: true };
    bytes = Buffer.concat([bytes, next.value]);
  }
  return { bytes, isDone: false };
}

async function* prefixed(first: Buffer, rest: Packed) {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/**
 * Unpacks one piece after the other: what zlib has in its buffers when it meets an error would be
 * lost.
 * @returns what is left of the last piece after the end of the packed data
 */
async function* through(
  decoder: Transform & zlib.Zlib,
  packed: Packed,
  { maxBytes, onBroken }: UnpackingLimits,
): AsyncGenerator<Buffer, Buffer> {
  const unpacked: Buffer[] = [];
  let size = 0;
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    const end = () => {
      isOver = true;
      resolve();
    };
    decoder.on('data', (piece: Buffer) => {
      unpacked.push(piece);
      size += piece.length;
      if (size > maxBytes) decoder.destroy();
    });
    decoder.on('error', onBroken);
    for (const event of ['end', 'error', 'close']) decoder.on(event, end);
  });
  let piece: Buffer = NOTHING;
  let given = 0;
  try {
    for (let next = await packed.next(); next.done !== true; next = await packed.next()) {
      piece = next.value;
      given += piece.length;
      await Promise.race([new Promise((done) => decoder.write(piece, done)), over]);
      yield* unpacked.splice(0);
      if (size > maxBytes) throw TOO_LARGE;
      if (isOver) break;
    }
    if (!isOver) decoder.end();
    await over;
    yield* unpacked.splice(0);
    return piece.subarray(piece.length - (given - decoder.bytesWritten));
  } finally {
    decoder.destroy();
  }
}
