import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { leavePrimary, listenByPrimary, watchPrimary } from '../../src/workers/worker.ts';

/** A worker that reads what the primary sends in one turn: it does nothing until its standard input ends. Answers each request. */
const STANDARD_INPUT = 0;

const server = createServer((_request, response) => response.end('answered'));
const untilEnd = watchPrimary();
const port = listenByPrimary(server, { host: '127.0.0.1', port: 0 });
readFileSync(STANDARD_INPUT);
await port;
await untilEnd(
  async () => leavePrimary(),
  (error) => {
    throw error;
  },
);
