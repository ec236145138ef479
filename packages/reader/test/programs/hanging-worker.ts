import { parentPort } from 'node:worker_threads';
import type { ExtractTask } from '../../src/pages/extract-protocol.ts';
import { performTask } from '../../src/threads/extract-task.ts';

/** A thread like the real one, which never gets done with a text that says `never done`. */
const NEVER_DONE = 'never done';

const textOf = (task: ExtractTask): string =>
  task.kind === 'diagnose' ? task.evidence.content : new TextDecoder().decode(task.download.body);

parentPort?.on('message', (task: ExtractTask) => {
  while (textOf(task).includes(NEVER_DONE)) {
    // the thread can only be ended
  }
  void performTask(task).then((answer) => parentPort?.postMessage(answer));
});
parentPort?.postMessage({ kind: 'ready' });
