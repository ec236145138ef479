import { parentPort } from 'node:worker_threads';

/** A thread that accepts everything and never answers. */
parentPort?.on('message', () => {});
