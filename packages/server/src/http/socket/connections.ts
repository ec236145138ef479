import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createInProgress } from '@trawl/base';

export interface HttpConnection {
  readonly socket: Socket;
  /** Those in progress. */
  readonly answers: readonly ServerResponse[];
}

export interface HttpConnections {
  /** Whether an answer on this connection has begun to leave. */
  isAnswering(socket: Duplex): boolean;
  open(): readonly HttpConnection[];
  /** See `HttpListener.stop`. */
  stop(graceMs: number): Promise<void>;
}

export interface ConnectionLimit {
  /** Further connections are closed at once. */
  readonly most: number;
  readonly onRefuse: () => void;
}

/**
 * Tracks which connections are busy, which node does not report, so stopping does not cut off a
 * request. The limit is kept here: with `server.maxConnections`, workers that are all full hand a
 * connection round and round.
 */
export function trackConnections(
  server: Server,
  { most, onRefuse }: ConnectionLimit,
): HttpConnections {
  const open = createInProgress<number, HttpConnection>();
  /** Their answers; not in Sets, for the reason that `createInProgress` names. */
  const answersOf = new WeakMap<Duplex, ServerResponse[]>();
  let last = 0;
  let stopped: Promise<void> | undefined;

  server.on('connection', (socket) => {
    if (open.size >= most) {
      socket.destroy();
      onRefuse();
      return;
    }
    const answers: ServerResponse[] = [];
    const number = ++last;
    open.set(number, { socket, answers });
    answersOf.set(socket, answers);
    socket.once('close', () => {
      open.delete(number);
      setImmediate(closeQueued, answers);
    });
  });
  const track = ({ socket }: { socket: Socket }, outgoing: ServerResponse) => {
    const answers = answersOf.get(socket);
    if (!answers) return;
    answers.push(outgoing);
    if (stopped) outgoing.shouldKeepAlive = false;
    outgoing.once('close', () => {
      const at = answers.indexOf(outgoing);
      if (at >= 0) answers.splice(at, 1);
      if (stopped && answers.length === 0) socket.end();
    });
  };
  server.on('request', track);
  server.on('checkContinue', track);

  async function stopOnce(graceMs: number): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const { socket, answers } of open.values()) {
      if (answers.length === 0) socket.destroy();
      // Makes the answer say `Connection: close`.
      for (const outgoing of answers) outgoing.shouldKeepAlive = false;
    }
    const timer = setTimeout(() => {
      for (const { socket } of open.values()) socket.destroy();
    }, graceMs);
    await closed;
    clearTimeout(timer);
  }

  return {
    isAnswering: (socket) =>
      answersOf.get(socket)?.some((outgoing) => outgoing.headersSent) ?? false,
    open: open.values,
    stop(graceMs) {
      stopped ??= stopOnce(graceMs);
      return stopped;
    },
  };
}

/**
 * Node closes the answer that had its turn on a connection. Answers to pipelined requests behind it
 * get no event, and the memory that they hold would stay.
 */
function closeQueued(answers: readonly ServerResponse[]): void {
  for (const outgoing of [...answers]) outgoing.emit('close');
}
