/**
 * Loaded into each thread of a server before its program: collects its garbage on SIGUSR2, so only
 * memory in use remains.
 */
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { BroadcastChannel, isMainThread } = require('node:worker_threads');

setFlagsFromString('--expose-gc');
const collectOnce = runInNewContext('gc');
const collect = () => {
  collectOnce();
  collectOnce();
};
const threads = new BroadcastChannel('collect-garbage');
threads.onmessage = collect;
threads.unref();
// a signal reaches the main thread only
if (isMainThread) {
  process.on('SIGUSR2', () => {
    collect();
    threads.postMessage('collect');
  });
}
