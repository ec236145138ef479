import { parentPort } from 'node:worker_threads';
import '../../src/recorder/recorder-worker.ts';
import type { ToRecorder } from '../../src/recorder/recorder-protocol.ts';

/** The recorder's thread, which crashes when it receives an interaction with this goal. */
parentPort?.on('message', (message: ToRecorder) => {
  if (message === 'close' || message.operation.kind !== 'record') return;
  const goal = message.operation.interaction.trajectoryGoal;
  if (goal === 'throw') throw new Error('thrown in the thread');
  if (goal === 'exit') process.exit(7);
});
