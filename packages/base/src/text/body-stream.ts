import type { Writable } from 'node:stream';
import { type BodyPart, createPartQueue } from './part-queue.ts';

/**
 * A body that is encoded as its reader takes it, in small pieces: with `writeTo` or with `stream`,
 * not with both.
 */
export interface BodyStream {
  /** Writes the body to an answer of Node.js, after its head, as fast as its client takes it. */
  writeTo(answer: Writable): void;
  /** For a reader of Web streams. A search in events takes a tenth more CPU time with it. */
  stream(): ReadableStream<Uint8Array>;
  /**
   * Ignored once the reader has left. A list, since a call cannot have as many arguments as a body
   * may have parts.
   */
  push(parts: readonly BodyPart[]): void;
  /** Ends the body. */
  end(): void;
  /** Bytes that the reader has not taken yet. */
  waitingBytes(): number;
  /** About the memory of the parts that wait. A part stays in memory until all of it was taken. */
  heldBytes(): number;
  /** Called once, when the last byte was taken or the reader has left. */
  onEnd(listener: () => void): void;
}

/** Up to this size a body is better written at once. */
export const WHOLE_MAX_BYTES = 64 * 1024;

export function createBodyStream(): BodyStream {
  const queue = createPartQueue();
  let isEnded = false;
  let isGone = false;
  let ended = () => {};
  /** Lets the reader go on, when there is one. */
  let wake = () => {};

  const finish = () => {
    if (isGone) return;
    isGone = true;
    queue.clear();
    ended();
  };
  return {
    writeTo(answer) {
      let isFull = false;
      wake = () => {
        while (!isFull && !isGone) {
          const piece = queue.next();
          if (piece) isFull = !answer.write(piece);
          else if (isEnded) {
            answer.end();
            finish();
          } else return;
        }
      };
      answer.on('drain', () => {
        isFull = false;
        wake();
      });
      // its client has left, or something else ended the answer
      answer.once('close', finish).on('error', finish);
      if (answer.destroyed) finish();
      wake();
    },
    stream: () => {
      const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
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
      };
      const cancel = () => {
        finish();
        wake();
      };
      return new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 });
    },
    push(parts) {
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
