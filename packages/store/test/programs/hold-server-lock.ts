import { openStore } from '../../src/opening/open-store.ts';
import { printLine, programArguments } from './arguments.ts';

/** Opens the store as a server does, and stays until it is killed. */
const { store: options } = programArguments();
await openStore({ ...options, isServer: true, workerUrl: new URL(options.workerUrl) });
printLine('held');
setInterval(() => {}, 60_000);
