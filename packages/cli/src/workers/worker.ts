import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Listen } from '@trawl/server';
import type { PrimaryMessage, WorkerMessage } from './messages.ts';

/**
 * Has the primary listen, which then sends connections. They are those of `server` from then on.
 * @returns the port
 * @throws an error with the code of the system when the address cannot be used
 */
export const listenByPrimary: Listen = async (server, address) => {
  const reply = nextReply();
  send({ type: 'listen', ...address });
  const port = await reply;
  process.on('message', (message: PrimaryMessage, socket: Socket | undefined) => {
    if (message.type !== 'connection') return;
    send({ type: 'taken', connection: message.connection });
    takeConnection(server, socket);
  });
  // starts the checks for slow headers, which Node.js begins when a server listens
  server.emit('listening');
  return port;
};

function nextReply(): Promise<number> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: PrimaryMessage) => {
      process.off('message', onMessage);
      if (message.type === 'listening') resolve(message.port);
      if (message.type === 'refused') {
        reject(Object.assign(new Error(message.message), { code: message.code }));
      }
    };
    process.on('message', onMessage);
  });
}

/** @param socket undefined when the client left on the way here */
function takeConnection(server: Server, socket: Socket | undefined): void {
  if (!socket) {
    send({ type: 'closed' });
    return;
  }
  socket.once('close', () => send({ type: 'closed' }));
  // as for connections that an HTTP server accepts itself: a client may end its side after the request
  socket.allowHalfOpen = true;
  server.emit('connection', socket);
  socket.resume();
}

/**
 * Runs `stop` when the primary says so or is gone, or at a SIGTERM of its own. A Ctrl-C reaches the primary and its
 * workers alike; what it means is the primary's decision.
 */
export function untilPrimaryStops(stop: () => Promise<void>): Promise<void> {
  process.on('SIGINT', () => undefined);
  return new Promise((resolve, reject) => {
    let isStopping = false;
    const onStop = () => {
      if (isStopping) return;
      isStopping = true;
      stop().then(resolve, reject);
    };
    process.on('SIGTERM', onStop);
    process.on('disconnect', onStop);
    process.on('message', ({ type }: PrimaryMessage) => {
      if (type === 'stop') onStop();
    });
  });
}

/** Lets this process end: its line to the primary would keep it. */
export function leavePrimary(): void {
  if (process.connected) process.disconnect();
}

/** To the primary. It may be gone, which the worker notices elsewhere. */
export function send(message: WorkerMessage): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
