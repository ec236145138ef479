import { constants, deflateRaw } from 'node:zlib';
import { LRUCache } from 'lru-cache';

/** A text in its parts, which are JSON tokens or more of them, and those parts that other texts have too. */
export interface RepeatedParts {
  readonly parts: readonly string[];
  readonly repeated: readonly string[];
}

/** @returns the text as `zlib.inflate` reads it; undefined = not without compressing more of it now */
export type PackText = (text: RepeatedParts) => Uint8Array<ArrayBuffer> | undefined;

/** About the memory of all parts that are remembered. */
const KEPT_BYTES = 32 * 1024 * 1024;
const ENTRY_BYTES = 500;
/** A longer part is not packed: encoding it and its checksum would take the thread for milliseconds. */
const PART_CHARACTERS = 200_000;
/** A part is compressed when it comes for the second time: most pages are shown once. */
const USES_BEFORE = 2;

/** Blocks of a deflate stream. */
interface Piece extends Checksum {
  readonly blocks: Uint8Array;
}

interface Known {
  uses: number;
  /** Absent until it is compressed, on another thread. */
  piece: Piece | undefined;
}

/**
 * Packs texts of which a part is always the same, such as the content of a cached page. That part is compressed once; what is around
 * it is stored as it is, which the format allows.
 */
export function createTextPacker(): PackText {
  const known = new LRUCache<string, Known>({
    maxSize: KEPT_BYTES,
    // compressed it takes no more than plain
    sizeCalculation: (_, part) => 2 * part.length + ENTRY_BYTES,
  });
  const pieceOf = (part: string): Piece | undefined => {
    if (part.length === 0 || part.length > PART_CHARACTERS) return undefined;
    let found = known.get(part);
    if (!found) {
      found = { uses: 0, piece: undefined };
      known.set(part, found);
    }
    found.uses += 1;
    if (found.uses === USES_BEFORE) compress(part, found);
    return found.piece;
  };
  return ({ parts, repeated }) => {
    const pieces = new Map<string, Piece>();
    for (const part of repeated) {
      const piece = pieceOf(part);
      if (piece) pieces.set(part, piece);
    }
    return pieces.size === 0 ? undefined : stream(parts, pieces);
  };
}

/** A fresh stream refers to nothing before it, so its blocks can be part of any other. When it fails, the part stays unpacked. */
function compress(part: string, known: Known): void {
  const plain = Buffer.from(part, 'utf8');
  deflateRaw(plain, { level: 6, finishFlush: constants.Z_SYNC_FLUSH }, (error, compressed) => {
    if (error || compressed.length >= plain.length) return;
    // what zlib gives is a part of 16 KB
    const blocks = Buffer.allocUnsafeSlow(compressed.length);
    compressed.copy(blocks);
    known.piece = { blocks, ...checksumOf(plain, 0, plain.length) };
  });
}

// the format: https://www.rfc-editor.org/rfc/rfc1950 and https://www.rfc-editor.org/rfc/rfc1951
const HEADER = [0x78, 0x9c];
const EMPTY_LAST_BLOCK = [1, 0, 0, 0xff, 0xff];
/** Of a block that is stored: its kind, its length, and its length again, inverted. */
const STORED_HEAD = 5;
const STORED_MAX = 65_535;
const CHECKSUM = 4;
/** Where more of a text than this and a quarter of it would be stored as it is, the whole of it is better compressed. */
const AROUND_BYTES = 4_096;

function stream(
  parts: readonly string[],
  pieces: ReadonlyMap<string, Piece>,
): Uint8Array<ArrayBuffer> | undefined {
  const blocks = blocksOf(parts, pieces);
  let size = HEADER.length + EMPTY_LAST_BLOCK.length + CHECKSUM;
  let plain = 0;
  let around = 0;
  for (const block of blocks) {
    plain += block.length;
    if ('text' in block) {
      if (block.length > STORED_MAX) return undefined;
      around += block.length;
      size += STORED_HEAD + block.length;
    } else size += block.blocks.length;
  }
  if (around > Math.max(AROUND_BYTES, plain / 4)) return undefined;
  // memory of its own: a message to another thread copies all of what a part belongs to
  const bytes = Buffer.allocUnsafeSlow(size);
  bytes.set(HEADER);
  let at = HEADER.length;
  let sum: Checksum = EMPTY;
  for (const block of blocks) {
    if ('text' in block) {
      bytes[at] = 0;
      bytes.writeUInt16LE(block.length, at + 1);
      bytes.writeUInt16LE(STORED_MAX - block.length, at + 3);
      at += STORED_HEAD;
      bytes.write(block.text, at);
      sum = joinedChecksum(sum, checksumOf(bytes, at, at + block.length));
      at += block.length;
    } else {
      bytes.set(block.blocks, at);
      sum = joinedChecksum(sum, block);
      at += block.blocks.length;
    }
  }
  bytes.set(EMPTY_LAST_BLOCK, at);
  bytes.writeUInt32BE(sum.high * 65_536 + sum.low, at + EMPTY_LAST_BLOCK.length);
  return bytes;
}

/** A text that is stored as it is, and its length in bytes. */
interface Stored {
  readonly text: string;
  readonly length: number;
}

function blocksOf(
  parts: readonly string[],
  pieces: ReadonlyMap<string, Piece>,
): readonly (Piece | Stored)[] {
  const blocks: (Piece | Stored)[] = [];
  // to look up a part is to hash it, and most others are shorter
  const shortest = Math.min(...[...pieces.keys()].map(({ length }) => length));
  let text = '';
  const store = (): void => {
    if (text !== '') blocks.push({ text, length: Buffer.byteLength(text) });
    text = '';
  };
  for (const part of parts) {
    const piece = part.length < shortest ? undefined : pieces.get(part);
    if (piece) {
      store();
      blocks.push(piece);
    } else text += part;
  }
  store();
  return blocks;
}

/** Adler-32 of some bytes, and their number. */
interface Checksum {
  readonly low: number;
  readonly high: number;
  readonly length: number;
}

const EMPTY: Checksum = { low: 1, high: 0, length: 0 };
const BASE = 65_521;
/** So many bytes fit before the sums must be reduced. */
const REDUCED_AFTER = 5_552;

function checksumOf(bytes: Uint8Array, from: number, to: number): Checksum {
  let low = 1;
  let high = 0;
  for (let at = from; at < to; ) {
    const until = Math.min(to, at + REDUCED_AFTER);
    for (; at < until; at += 1) {
      low += bytes[at] ?? 0;
      high += low;
    }
    low %= BASE;
    high %= BASE;
  }
  return { low, high, length: to - from };
}

/** Of both, one after the other: each byte of the second adds what is left of the first to `high` again. */
function joinedChecksum(first: Checksum, second: Checksum): Checksum {
  const rest = first.low + BASE - 1;
  return {
    low: (rest + second.low) % BASE,
    high: (first.high + second.high + (second.length % BASE) * rest) % BASE,
    length: first.length + second.length,
  };
}
