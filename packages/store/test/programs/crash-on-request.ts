import { parentPort } from 'node:worker_threads';
import '../../src/recorder/recorder-worker.ts';
import type { ToRecorder } from '../../src/recorder/recorder-protocol.ts';
import { INTERACTION_COLUMNS } from '../../src/recorder/rows.ts';

/** The recorder's thread, which crashes when it receives an interaction with this goal. */
parentPort?.on('message', (message: ToRecorder) => {
  if (message === 'close') return;
  for (const { operation } of message) {
    if (operation.kind !== 'record') continue;
    const goal = operation.record.interaction[INTERACTION_COLUMNS.indexOf('trajectory_goal')];
    if (goal === 'throw') throw new Error('thrown in the thread');
    if (goal === 'exit') process.exit(7);
  }
});
