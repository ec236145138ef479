/** Part of a body: text, or bytes that are sent unchanged. */
export type BodyPart = string | Uint8Array;

/**
 * A body that is encoded as its reader takes it, in small pieces. The parts wait unchanged, so a text
 * that is shared or occurs twice needs no extra memory.
 */
export interface BodyStream {
  readonly stream: ReadableStream<Uint8Array>;
  /** Ignored once the reader is gone. */
  push(...parts: readonly BodyPart[]): void;
  /** Ends the body. */
  end(): void;
  /** Bytes that the reader has not taken yet. */
  waitingBytes(): number;
  /** About the memory of the parts that wait. A part stays in memory until all of it was taken. */
  heldBytes(): number;
  /** Called once, when the last byte was taken or the reader is gone. */
  onEnd(listener: () => void): void;
}

/** Small, so the progress of a slow reader is noticed in time. */
const PIECE = 32 * 1024;

/** Up to this size a body is better written at once. */
export const WHOLE_MAX_BYTES = 64 * 1024;

export const bytesOf = (parts: readonly BodyPart[]): number =>
  parts.reduce((sum, part) => sum + sizeOf(part), 0);

const sizeOf = (part: BodyPart): number =>
  typeof part === 'string' ? Buffer.byteLength(part) : part.length;

export function createBodyStream(): BodyStream {
  const queue = createPartQueue();
  let isEnded = false;
  let isGone = false;
  let wake = () => {};
  let ended = () => {};

  const finish = () => {
    isGone = true;
    queue.clear();
    ended();
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (queue.isEmpty() && !isEnded && !isGone) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        if (isGone) return;
        const piece = queue.next();
        if (piece) controller.enqueue(piece);
        else {
          controller.close();
          finish();
        }
      },
      cancel() {
        finish();
        wake();
      },
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    push(...parts) {
      if (isGone || isEnded) return;
      for (const part of parts) queue.push(part);
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
    waitingBytes: queue.waitingBytes,
    heldBytes: queue.heldBytes,
    onEnd(listener) {
      ended = listener;
      if (isGone) listener();
    },
  };
}

/** Parts in their order, taken from it a small piece at a time. */
function createPartQueue() {
  const queue: { readonly part: BodyPart; readonly memory: number }[] = [];
  let offset = 0;
  let waiting = 0;
  let held = 0;
  /** Takes up to `room` of the first part, which goes when all of it was taken. */
  const take = <Part extends BodyPart>(
    part: Part,
    room: number,
    cut: (from: number, to: number) => Part,
  ): Part => {
    const taken = cut(offset, offset + room);
    offset += taken.length;
    if (offset >= part.length) {
      held -= queue.shift()?.memory ?? 0;
      offset = 0;
    }
    return taken;
  };
  const takePiece = (): Uint8Array | undefined => {
    let text = '';
    for (;;) {
      const part = queue[0]?.part;
      if (typeof part === 'string' && text.length < PIECE) {
        const cut = (from: number, to: number) => part.slice(from, characterEnd(part, to));
        text += take(part, PIECE - text.length, cut);
      } else if (text !== '') return Buffer.from(text);
      else if (part instanceof Uint8Array) {
        return take(part, PIECE, (from, to) => part.subarray(from, to));
      } else return undefined;
    }
  };
  return {
    push(part: BodyPart): void {
      if (part.length === 0) return;
      // once for each part: a text is read to its end for it
      const bytes = sizeOf(part);
      // JavaScript holds a character in one byte, or all of a text's in two where one of them needs it
      const memory = bytes === part.length ? bytes : Math.max(bytes, 2 * part.length);
      queue.push({ part, memory });
      waiting += bytes;
      held += memory;
    },
    next(): Uint8Array | undefined {
      const piece = takePiece();
      waiting -= piece?.length ?? 0;
      return piece;
    },
    clear(): void {
      queue.length = 0;
      waiting = 0;
      held = 0;
    },
    isEmpty: () => queue.length === 0,
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
