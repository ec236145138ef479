import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { PrimaryMessage } from './messages.ts';

/** After this time without taking a connection, a worker hangs. */
const HUNG_MS = 30_000;
const LOOK_MS = 5_000;

/** Connections on the way to workers. */
export interface HandOvers {
  /**
   * Sends the connection, and keeps it open here until the worker has it. Without that, a worker that is killed before it
   * reads the message would leave a client that waits for ever.
   */
  send(worker: ChildProcess, socket: Socket): void;
  /** The worker has this connection now. */
  taken(worker: ChildProcess, connection: number): void;
  /** Milliseconds for which the oldest connection on the way to a worker waits. */
  waitedMs(worker: ChildProcess): number;
  /** This worker has ended. Connections on the way to it are closed. */
  remove(worker: ChildProcess): void;
}

interface Sent {
  readonly socket: Socket;
  /** By `performance.now()`. */
  readonly at: number;
}

/** @param onHung gets a worker that takes no connections any more */
export function createHandOvers(onHung: (worker: ChildProcess) => void): HandOvers {
  /** By worker, the oldest first. */
  const onTheWay = new Map<ChildProcess, Map<number, Sent>>();
  let lastConnection = 0;
  let looking: NodeJS.Timeout | undefined;
  let lookAt = 0;

  function taken(worker: ChildProcess, connection: number): void {
    const sent = onTheWay.get(worker);
    sent?.get(connection)?.socket.destroy();
    sent?.delete(connection);
  }

  function waitedMs(worker: ChildProcess): number {
    for (const { at } of onTheWay.get(worker)?.values() ?? []) return performance.now() - at;
    return 0;
  }

  /** Goes on while connections are on the way. */
  function look(): void {
    const waits = [...onTheWay.keys()].map((worker) => ({ worker, ms: waitedMs(worker) }));
    // after a pause of all processes, what the workers said meanwhile is still to be read
    const isLate = performance.now() - lookAt > LOOK_MS;
    for (const { worker, ms } of waits) if (ms >= HUNG_MS && !isLate) onHung(worker);
    looking = undefined;
    if (waits.some(({ ms }) => ms > 0)) lookLater();
  }

  function lookLater(): void {
    lookAt = performance.now() + LOOK_MS;
    looking = setTimeout(look, LOOK_MS).unref();
  }

  return {
    send: (worker, socket) => {
      lastConnection += 1;
      const connection = lastConnection;
      const sent = onTheWay.get(worker) ?? new Map<number, Sent>();
      onTheWay.set(worker, sent.set(connection, { socket, at: performance.now() }));
      if (!looking) lookLater();
      const message: PrimaryMessage = { type: 'connection', connection };
      worker.send(message, socket, { keepOpen: true }, (error) => {
        if (error) taken(worker, connection);
      });
    },
    taken,
    waitedMs,
    remove: (worker) => {
      for (const { socket } of onTheWay.get(worker)?.values() ?? []) socket.destroy();
      onTheWay.delete(worker);
    },
  };
}
