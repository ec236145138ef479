import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Listen } from '@trawl/server';
import type { PrimaryMessage, WorkerMessage } from './messages.ts';

/**
 * Has the primary listen, which then sends connections. They are those of `server` from then on. One listener takes the
 * answer and the connections: the first ones can come in the same turn as the answer.
 * @returns the port
 * @throws an error with the code of the system when the address cannot be used, or one when the primary has ended
 */
export const listenByPrimary: Listen = (server, address) =>
  new Promise((resolve, reject) => {
    const onGone = () => reject(new Error('the primary process has ended'));
    process.once('disconnect', onGone);
    process.on('message', (message: PrimaryMessage, socket: Socket | undefined) => {
      switch (message.type) {
        case 'listening':
          // starts the checks for slow headers, which Node.js begins when a server listens
          server.emit('listening');
          resolve(message.port);
          break;
        case 'refused':
          reject(Object.assign(new Error(message.message), { code: message.code }));
          break;
        case 'connection':
          send({ type: 'taken', connection: message.connection });
          takeConnection(server, socket);
          break;
      }
    });
    if (process.connected) send({ type: 'listen', ...address });
    else onGone();
  });

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
 * Waits from now on for the primary to say stop or to be gone, or for a SIGTERM of this process alone. A Ctrl-C reaches
 * the primary and its workers alike; what it means is the primary's decision.
 * @returns runs `stop` then, or at once when that has happened already
 */
export function watchPrimary(): (stop: () => Promise<void>) => Promise<void> {
  process.on('SIGINT', () => undefined);
  const end = new Promise<void>((resolve) => {
    process.on('SIGTERM', () => resolve());
    process.on('disconnect', () => resolve());
    process.on('message', ({ type }: PrimaryMessage) => {
      if (type === 'stop') resolve();
    });
  });
  return async (stop) => {
    await end;
    await stop();
  };
}

/** Lets this process end: its line to the primary would keep it. */
export function leavePrimary(): void {
  if (process.connected) process.disconnect();
}

/** To the primary. It may be gone, which the worker notices elsewhere. */
export function send(message: WorkerMessage): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
