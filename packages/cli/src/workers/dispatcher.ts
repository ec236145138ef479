import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createHandOvers } from './hand-overs.ts';

/** Connections that may wait while no worker is ready. Further ones are closed. */
const WAITING_MAX = 1_024;
/** A worker that leaves a connection untaken for this long gets no more while another one can take them. */
const SLOW_MS = 1_000;

export interface Dispatcher {
  /**
   * Listens at the first call; later ones get the same port.
   * @throws the error of the system when the address cannot be used
   */
  listen(address: { readonly host: string; readonly port: number }): Promise<number>;
  /** This worker takes connections from now on. */
  add(worker: ChildProcess): void;
  /** This worker takes no more connections. */
  leave(worker: ChildProcess): void;
  /** This worker has ended. Connections on the way to it are closed. */
  remove(worker: ChildProcess): void;
  /** The worker has this connection now. */
  taken(worker: ChildProcess, connection: number): void;
  /** A connection of this worker has ended. */
  released(worker: ChildProcess): void;
  /** Accepts no more connections. */
  stop(): void;
}

/**
 * Accepts the connections of all workers and gives each to the worker with the fewest. Clients keep connections open, so
 * giving them out in turn would leave one worker with more of the load, and a new worker without any.
 * @param onHung gets a worker that takes no connections any more
 */
export function createDispatcher(onHung: (worker: ChildProcess) => void): Dispatcher {
  const open = new Map<ChildProcess, number>();
  const waiting: Socket[] = [];
  const handOvers = createHandOvers(onHung);
  // paused: what the client sends is for the worker to read
  const server = createServer({ pauseOnConnect: true, noDelay: true }, dispatch);
  let port: Promise<number> | undefined;

  function dispatch(socket: Socket): void {
    socket.on('error', () => undefined);
    const worker = leastBusy(open, (one) => handOvers.waitedMs(one) < SLOW_MS) ?? leastBusy(open);
    if (worker) {
      open.set(worker, (open.get(worker) ?? 0) + 1);
      handOvers.send(worker, socket);
    } else if (waiting.length < WAITING_MAX) {
      waiting.push(socket);
    } else {
      socket.destroy();
    }
  }

  return {
    listen: (address) => {
      port ??= listenOnce(address);
      return port;
    },
    add: (worker) => {
      open.set(worker, 0);
      for (const socket of waiting.splice(0)) dispatch(socket);
    },
    leave: (worker) => {
      open.delete(worker);
    },
    remove: (worker) => {
      open.delete(worker);
      handOvers.remove(worker);
    },
    taken: handOvers.taken,
    released: (worker) => {
      const count = open.get(worker);
      if (count !== undefined) open.set(worker, count - 1);
    },
    stop: () => {
      server.close();
      for (const socket of waiting.splice(0)) socket.destroy();
    },
  };

  async function listenOnce(address: { host: string; port: number }): Promise<number> {
    server.listen(address);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
}

function leastBusy(
  open: ReadonlyMap<ChildProcess, number>,
  isUsable: (worker: ChildProcess) => boolean = () => true,
): ChildProcess | undefined {
  let found: ChildProcess | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const [worker, count] of open) {
    if (count >= fewest || !isUsable(worker)) continue;
    found = worker;
    fewest = count;
  }
  return found;
}
