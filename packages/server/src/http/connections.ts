import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export interface Connections {
  /** Whether an answer on this connection has begun to leave. */
  isAnswering(socket: Duplex): boolean;
  /** Connections with their answers in progress. */
  busy(): Iterable<readonly [Socket, ReadonlySet<ServerResponse>]>;
  /** See `RunningServer.stop`. */
  stop(graceMs: number): Promise<void>;
}

export interface ConnectionLimit {
  /** Further connections are closed at once. */
  readonly most: number;
  readonly onRefuse: () => void;
}

/**
 * Tracks which connections are busy, which node does not report, so stopping does not cut off a request. The limit is kept
 * here: with `server.maxConnections`, workers that are all full hand a connection round and round.
 */
export function trackConnections(server: Server, { most, onRefuse }: ConnectionLimit): Connections {
  const open = new Map<Socket, Set<ServerResponse>>();
  let stopped: Promise<void> | undefined;
  let onLastClose: (() => void) | undefined;

  server.on('connection', (socket) => {
    if (open.size >= most) {
      socket.destroy();
      onRefuse();
      return;
    }
    const busy = new Set<ServerResponse>();
    open.set(socket, busy);
    socket.once('close', () => {
      open.delete(socket);
      if (open.size === 0) onLastClose?.();
      setImmediate(closeQueued, busy);
    });
  });
  const track = ({ socket }: { socket: Socket }, outgoing: ServerResponse) => {
    const busy = open.get(socket);
    if (!busy) return;
    busy.add(outgoing);
    if (stopped) outgoing.shouldKeepAlive = false;
    outgoing.once('close', () => {
      busy.delete(outgoing);
      if (stopped && busy.size === 0) socket.end();
    });
  };
  server.on('request', track);
  server.on('checkContinue', track);

  async function stopOnce(graceMs: number): Promise<void> {
    const drained = new Promise<void>((resolve) => {
      onLastClose = resolve;
      if (open.size === 0) resolve();
    });
    // one whose connections come from elsewhere does not listen, and does not wait for them
    const closed = server.listening ? once(server, 'close') : undefined;
    server.close();
    for (const [socket, busy] of open) {
      if (busy.size === 0) socket.destroy();
      // Makes the answer say `Connection: close`.
      for (const outgoing of busy) outgoing.shouldKeepAlive = false;
    }
    const timer = setTimeout(() => {
      for (const socket of open.keys()) socket.destroy();
    }, graceMs);
    await Promise.all([drained, closed]);
    clearTimeout(timer);
  }

  return {
    isAnswering: (socket) =>
      // node declares its own socket more widely here
      [...(open.get(socket as Socket) ?? [])].some((outgoing) => outgoing.headersSent),
    busy: () => open,
    stop(graceMs) {
      stopped ??= stopOnce(graceMs);
      return stopped;
    },
  };
}

/**
 * Node closes the answer that had its turn on a connection. Answers to pipelined requests behind it get no event, and the memory that
 * they hold would stay.
 */
function closeQueued(answers: ReadonlySet<ServerResponse>): void {
  for (const outgoing of [...answers]) outgoing.emit('close');
}
