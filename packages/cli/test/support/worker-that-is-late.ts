import { createServer } from 'node:http';
import { listenByPrimary, send, watchPrimary } from '../../src/workers/worker.ts';

/** A worker that reads what the primary sends all at once. Answers each request, and reports when it has to stop. */
const server = createServer((_request, response) => response.end('answered'));
const untilEnd = watchPrimary();
const port = listenByPrimary(server, { host: '127.0.0.1', port: 0 });
// this thread does nothing until all has arrived
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
await port;
await untilEnd(async () => send({ type: 'collect' }));
