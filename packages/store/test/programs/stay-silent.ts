import { parentPort } from 'node:worker_threads';

/** A thread that takes everything and answers nothing. */
parentPort?.on('message', () => {});
