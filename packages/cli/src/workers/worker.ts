import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ReportFault } from '@trawl/base';
import type { Listen } from '@trawl/server';
import { watchFailures } from '../program/failures.ts';
import type { PrimaryMessage, WorkerMessage } from './messages.ts';

/**
 * Has the primary listen, which then sends connections. They are those of `server` from then on. One listener takes the
 * answer and the connections: the first ones can come in the same turn as the answer.
 * @returns the port
 * @throws an error with the code of the system when the address cannot be used
 */
export const listenByPrimary: Listen = (server, address) =>
  new Promise((resolve, reject) => {
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
    send({ type: 'listen', ...address });
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
 * Waits from now on for the primary to say stop or to be gone. A SIGTERM of this process alone asks the primary for that,
 * which then sends no more connections. A Ctrl-C reaches the primary and its workers alike; what it means is the primary's
 * decision. Before it listens, this process has no request to finish, and ends at once.
 * @returns a function that runs `stop` when that happens, or at once if it has happened. A failure that no code caught, and the end
 * of the primary, are thrown after the stop
 */
export function watchPrimary(): (stop: () => Promise<void>, report: ReportFault) => Promise<void> {
  let isListening = false;
  process.on('SIGINT', () => undefined);
  if (process.stdout.isTTY) process.on('SIGHUP', () => undefined);
  process.on('SIGTERM', () => {
    if (!isListening) process.exit(1);
    send({ type: 'leave' });
  });
  const end = new Promise<Error | undefined>((resolve) => {
    process.on('disconnect', () => {
      if (!isListening) process.exit(1);
      resolve(new Error('the primary process ended'));
    });
    process.on('message', ({ type }: PrimaryMessage) => {
      if (type === 'listening') isListening = true;
      if (type !== 'stop') return;
      send({ type: 'stopping' });
      resolve(undefined);
    });
  });
  return async (stop, report) => {
    const failures = watchFailures(() => send({ type: 'leave' }), report);
    const endOfPrimary = await end;
    if (endOfPrimary) failures.add(endOfPrimary);
    await stop();
    failures.throwFirst();
  };
}

/** Lets this process end: its line to the primary would keep it. */
export function leavePrimary(): void {
  // this is not the end of the primary
  process.removeAllListeners('disconnect');
  if (process.connected) process.disconnect();
}

/** To the primary. It may be gone, which the worker notices elsewhere. */
export function send(message: WorkerMessage): void {
  process.send?.(message, undefined, undefined, () => undefined);
}
