import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { CHUNKED_END, repairHead } from './answer-head.ts';
import { createChunkJoiner } from './chunks.ts';

/** The longest head of an answer, as in browsers. */
export const HEAD_MAX_BYTES = 256 * 1024;

/**
 * A connection for one request: its answer is repaired, and interim answers are dropped. It ends
 * after all bytes that came, whether the connection broke or was closed.
 */
export function lenientSocket(socket: Socket): Duplex {
  const repair = createRepair();
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (chunk, encoding, done) => void socket.write(chunk, encoding, done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
    // on `close`, Node.js drops what has not been read of a body that was cut off
    emitClose: false,
  });
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    stream.push(repair.release());
    stream.push(null);
  };
  socket.on('data', (chunk: Buffer) => {
    if (!stream.push(repair.add(chunk))) socket.pause();
  });
  for (const event of ['end', 'error', 'close']) socket.on(event, end);
  return stream;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const NOTHING = Buffer.alloc(0);
/** The parser refuses it. */
const NOT_HTTP = Buffer.from('-');

/** Holds bytes back until the head is complete. */
function createRepair() {
  const joinChunks = createChunkJoiner();
  let held: Buffer[] = [];
  let heldBytes = 0;
  let hasLine = false;
  let isLineEmpty = true;
  let isDone = false;
  let isChunked = false;

  /**
   * Where the head ends in these bytes; -1 = not there. Empty lines in front of it are skipped, as
   * servers must.
   */
  const endIn = (bytes: Buffer): number => {
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index];
      if (byte === LINE_FEED) {
        if (isLineEmpty && hasLine) return index + 1;
        isLineEmpty = true;
      } else if (byte !== CARRIAGE_RETURN) {
        isLineEmpty = false;
        hasLine = true;
      }
    }
    return -1;
  };
  const hold = (bytes: Buffer): void => {
    held.push(bytes);
    heldBytes += bytes.length;
  };
  const release = (): Buffer => {
    const bytes = Buffer.concat(held, heldBytes);
    held = [];
    heldBytes = 0;
    hasLine = false;
    isLineEmpty = true;
    return bytes;
  };
  return {
    /** @returns what may be parsed now */
    add(chunk: Buffer): Buffer {
      let rest = chunk;
      while (!isDone) {
        const end = endIn(rest);
        hold(end < 0 ? rest : rest.subarray(0, end));
        isDone = heldBytes > HEAD_MAX_BYTES;
        if (isDone) return NOT_HTTP;
        if (end < 0) return NOTHING;
        rest = rest.subarray(end);
        const head = repairHead(release().toString('latin1'));
        if (isInterim(head)) continue;
        isDone = true;
        isChunked = head.endsWith(CHUNKED_END);
        const body = isChunked ? joinChunks(rest) : rest;
        return Buffer.concat([Buffer.from(head, 'latin1'), body]);
      }
      return isChunked ? joinChunks(rest) : rest;
    },
    /** What was held back and will not become a head. */
    release,
  };
}

const isInterim = (head: string): boolean => head.startsWith('HTTP/1.1 1');
