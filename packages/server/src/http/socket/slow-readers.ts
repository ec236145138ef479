import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { HttpConnection } from './connections.ts';

/** Limits of clients that do not read what is sent to them. */
export interface SlowReaderLimits {
  /**
   * A client that takes less than this within `windowMs` while bytes wait for it is disconnected.
   */
  readonly minBytes: number;
  readonly windowMs: number;
  /** `MAX_UNSENT_BYTES`: of all clients together. Beyond it the slowest are disconnected. */
  readonly unsentMaxBytes: number;
  /** How often clients are checked. */
  readonly checkMs: number;
}

export const READER_LIMITS: SlowReaderLimits = {
  minBytes: 64 * 1024,
  windowMs: 30_000,
  unsentMaxBytes: 64 * 1024 * 1024,
  checkMs: 1_000,
};

/**
 * Why a client was disconnected: it reads too slowly, or too much waits for all clients together.
 */
export type SlowCause = 'slow' | 'unsent';

export interface SlowReaderOptions {
  readonly limits: SlowReaderLimits;
  readonly open: () => readonly HttpConnection[];
  readonly onClose: (cause: SlowCause) => void;
  /** In milliseconds; only differences count. */
  readonly now: () => number;
}

/**
 * A client that takes this much a second gets its answer, and its memory is free soon, unless far
 * too much waits.
 */
const FAST_BYTES_PER_SECOND = 1024 * 1024;
const FAR_TOO_MUCH = 4;

/** Bytes that an answer's source holds for it. */
const sources = new WeakMap<Writable, () => number>();

/** Counts what an answer's source holds as unsent. */
export function noteSource(answer: Writable, heldBytes: () => number): void {
  sources.set(answer, heldBytes);
}

const unsentBytes = (answers: Iterable<Writable>): number => {
  let sum = 0;
  for (const answer of answers) sum += answer.writableLength + (sources.get(answer)?.() ?? 0);
  return sum;
};

/** The state of a client with waiting bytes. */
interface Reader {
  /** When its current window began, and what it had taken then. */
  since: number;
  takenBefore: number;
  /** At the last check. */
  taken: number;
  lookedAt: number;
}

/** A client as found by one check. */
interface Look {
  readonly socket: Socket;
  readonly unsent: number;
  /** Since the last check; null = first seen by this one. */
  readonly bytesPerSecond: number | null;
}

/** Disconnects clients that do not read. Their requests end as those of clients that left. */
export function closeSlowReaders({ limits, open, onClose, now }: SlowReaderOptions): () => void {
  const readers = new WeakMap<Socket, Reader>();

  const close = (socket: Socket, cause: SlowCause): void => {
    // what the kernel holds for the client is freed too
    socket.resetAndDestroy();
    onClose(cause);
  };
  const check = (): void => {
    const at = now();
    const looks: Look[] = [];
    for (const { socket, answers } of open()) {
      const unsent = unsentBytes(answers);
      const reader = readers.get(socket);
      if (unsent === 0 || socket.destroyed) readers.delete(socket);
      else if (reader && isSlow(reader, socket, at, limits)) close(socket, 'slow');
      else looks.push({ socket, unsent, bytesPerSecond: look(reader, socket, at) });
    }
    for (const socket of beyond(looks, limits.unsentMaxBytes)) close(socket, 'unsent');
  };
  /** Notes what the client has taken. */
  const look = (reader: Reader | undefined, socket: Socket, at: number): number | null => {
    const taken = takenBytes(socket);
    if (!reader) {
      readers.set(socket, { since: at, takenBefore: taken, taken, lookedAt: at });
      return null;
    }
    const rate = (1000 * (taken - reader.taken)) / Math.max(1, at - reader.lookedAt);
    reader.taken = taken;
    reader.lookedAt = at;
    if (taken - reader.takenBefore < limits.minBytes) return rate;
    reader.since = at;
    reader.takenBefore = taken;
    return rate;
  };
  const timer = setInterval(check, limits.checkMs).unref();
  return () => clearInterval(timer);
}

/** Facts about writes in node's handle of a connection. */
interface WriteCounts {
  /** Handed to it. */
  readonly bytesWritten: number;
  /** The part that the system has not taken yet. */
  readonly writeQueueSize: number;
}

function writeCounts(socket: Socket): WriteCounts | undefined {
  const handle: unknown = '_handle' in socket ? socket._handle : undefined;
  return isWriteCounts(handle) ? handle : undefined;
}

const isWriteCounts = (handle: unknown): handle is WriteCounts =>
  typeof handle === 'object' &&
  handle !== null &&
  'bytesWritten' in handle &&
  typeof handle.bytesWritten === 'number' &&
  'writeQueueSize' in handle &&
  typeof handle.writeQueueSize === 'number';

/**
 * Written, and no longer waiting in this process. The numbers that node documents count a write
 * when all of it was taken, so that a client which takes a large one steadily would seem to take
 * nothing.
 */
function takenBytes(socket: Socket): number {
  const counts = writeCounts(socket);
  if (counts) return counts.bytesWritten - counts.writeQueueSize;
  return socket.bytesWritten - socket.writableLength;
}

const isSlow = (
  { since, takenBefore }: Reader,
  socket: Socket,
  at: number,
  { minBytes, windowMs }: SlowReaderLimits,
): boolean => at - since >= windowMs && takenBytes(socket) - takenBefore < minBytes;

/**
 * The slowest clients, as many as must go until the rest is within the limit. One client alone may
 * always read on.
 */
function beyond(looks: readonly Look[], unsentMaxBytes: number): Socket[] {
  let total = looks.reduce((sum, { unsent }) => sum + unsent, 0);
  if (total <= unsentMaxBytes) return [];
  const slowest = looks
    .flatMap(({ socket, unsent, bytesPerSecond }) =>
      bytesPerSecond === null ? [] : [{ socket, unsent, bytesPerSecond }],
    )
    .sort((a, b) => a.bytesPerSecond - b.bytesPerSecond || b.unsent - a.unsent);
  const closed: Socket[] = [];
  for (const { socket, unsent, bytesPerSecond } of slowest) {
    const isFast = bytesPerSecond >= FAST_BYTES_PER_SECOND;
    const isWithin = total <= unsentMaxBytes * (isFast ? FAR_TOO_MUCH : 1);
    if (isWithin || closed.length === looks.length - 1) break;
    closed.push(socket);
    total -= unsent;
  }
  return closed;
}
