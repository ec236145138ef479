import { createLinkedList, type Entry } from '../waiting/linked-list.ts';

/** Part of a body: text, or bytes that are sent unchanged. */
export type BodyPart = string | Uint8Array;

/**
 * Parts of a body in their order, taken from it as bytes, a small piece at a time. The parts wait
 * unchanged, so a text that is shared or occurs twice needs no extra memory.
 */
export interface PartQueue {
  push(part: BodyPart): void;
  /** The next piece; undefined when nothing waits. */
  next(): Uint8Array | undefined;
  clear(): void;
  isEmpty(): boolean;
  /** Bytes that were not taken yet. */
  waitingBytes(): number;
  /** About the memory of the parts that wait. A part stays in memory until all of it was taken. */
  heldBytes(): number;
}

interface Waiting {
  readonly part: BodyPart;
  /** In bytes, about. */
  readonly memory: number;
}

/** Small, so the progress of a slow reader is noticed in time. */
const PIECE = 32 * 1024;

export function bytesOf(parts: readonly BodyPart[]): number {
  let bytes = 0;
  for (const part of parts) bytes += sizeOf(part);
  return bytes;
}

const sizeOf = (part: BodyPart): number =>
  typeof part === 'string' ? Buffer.byteLength(part) : part.length;

export function createPartQueue(): PartQueue {
  // not an array: taking the first of many would move all others
  let queue = createLinkedList<Waiting>();
  let offset = 0;
  let waiting = 0;
  let held = 0;
  /** Takes up to `room` of the first part, which goes when all of it was taken. */
  const take = <Part extends BodyPart>(
    first: Entry<Waiting>,
    room: number,
    cut: (from: number, to: number) => Part,
  ): Part => {
    const taken = cut(offset, offset + room);
    offset += taken.length;
    if (offset >= first.value.part.length) {
      held -= first.value.memory;
      queue.remove(first);
      offset = 0;
    }
    return taken;
  };
  const takePiece = (): Uint8Array | undefined => {
    let text = '';
    for (let first = queue.first(); first; first = queue.first()) {
      const { part } = first.value;
      if (typeof part !== 'string') {
        if (text !== '') break;
        return take(first, PIECE, (from, to) => part.subarray(from, to));
      }
      if (text.length >= PIECE) break;
      const cut = (from: number, to: number) => part.slice(from, characterEnd(part, to));
      text += take(first, PIECE - text.length, cut);
    }
    return text === '' ? undefined : Buffer.from(text);
  };
  return {
    push(part) {
      if (part.length === 0) return;
      // once for each part: a text is read to its end for it
      const bytes = sizeOf(part);
      // JavaScript holds a character in one byte, or all of a text's in two where one of them needs
      // it
      const memory = bytes === part.length ? bytes : Math.max(bytes, 2 * part.length);
      queue.append({ part, memory });
      waiting += bytes;
      held += memory;
    },
    next() {
      const piece = takePiece();
      waiting -= piece?.length ?? 0;
      return piece;
    },
    clear() {
      queue = createLinkedList();
      offset = 0;
      waiting = 0;
      held = 0;
    },
    isEmpty: () => queue.first() === undefined,
    waitingBytes: () => waiting,
    heldBytes: () => held,
  };
}

/** Never splits a surrogate pair. */
function characterEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}
