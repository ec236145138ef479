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

/** Tracks which connections are busy, which node does not report, so stopping does not cut off a request. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Socket, Set<ServerResponse>>();
  let stopped: Promise<void> | undefined;

  server.on('connection', (socket) => {
    const busy = new Set<ServerResponse>();
    open.set(socket, busy);
    socket.once('close', () => {
      open.delete(socket);
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
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const [socket, busy] of open) {
      if (busy.size === 0) socket.destroy();
      // Makes the answer say `Connection: close`.
      for (const outgoing of busy) outgoing.shouldKeepAlive = false;
    }
    const timer = setTimeout(() => {
      for (const socket of open.keys()) socket.destroy();
    }, graceMs);
    await closed;
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
 * Node closes the answer that had its turn on a connection. Answers to pipelined requests behind it get no event, and and the memory that
 * they hold would stay.
 */
function closeQueued(answers: ReadonlySet<ServerResponse>): void {
  for (const outgoing of [...answers]) outgoing.emit('close');
}
