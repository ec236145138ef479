import { runTrawl } from './commands/run-trawl.ts';

await runTrawl(process.argv.slice(2), {
  // bundled next to this file
  workerUrl: new URL('./recorder-worker.js', import.meta.url),
  extractWorkerUrl: new URL('./extract-worker.js', import.meta.url),
});
