import { parentPort } from 'node:worker_threads';
import type { ExtractTask } from '../../src/pages/extract-protocol.ts';
import { performTask } from '../../src/threads/extract-task.ts';

/** A thread like the real one, but it never finishes a text that says `never done`. */
const NEVER_DONE = 'never done';
const NEVER_CHANGED = new Int32Array(new SharedArrayBuffer(4));

function textOf(task: ExtractTask): string {
  if (task.kind === 'extract') return new TextDecoder().decode(task.download.body);
  if (task.kind === 'quotes') return '';
  if (task.kind === 'pieces') return task.texts.map(({ text }) => text).join(' ');
  return task.kind === 'focus' ? task.content : task.evidence.content;
}

parentPort?.on('message', (task: ExtractTask) => {
  // only ending the thread stops this; a loop would do the same, and take the processor from other
  // tests
  if (textOf(task).includes(NEVER_DONE)) Atomics.wait(NEVER_CHANGED, 0, 0);
  void performTask(task).then((answer) => parentPort?.postMessage(answer));
});
parentPort?.postMessage({ kind: 'ready' });
