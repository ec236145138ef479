import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type DatabaseLocation, openDatabase, RECORDING_LIMITS } from '@trawl/database';
import { createGroupCommit } from './group-commit.ts';
import type { FromRecorder, ToRecorder } from './recorder-protocol.ts';

/** Entry point of the recorder's thread: the only writer of interactions, on its own connection. */
function run(): void {
  const port = parentPort;
  if (!port) throw new Error('the recorder runs in a worker thread only');
  const location: DatabaseLocation = workerData;
  const database = openDatabase(location, { connections: 1, limits: RECORDING_LIMITS });
  const commits = createGroupCommit(database, (outcomes: FromRecorder) =>
    port.postMessage(outcomes),
  );
  const take = (message: ToRecorder): void => {
    if (message !== 'close') {
      for (const task of message) commits.add(task);
      return;
    }
    void commits
      .drain()
      .then(() => database.db.destroy())
      .then(() => port.close());
  };
  port.on('message', (message: ToRecorder) => {
    take(message);
    // what arrived during the last commit shares the next one
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
      take(next.message);
    }
  });
}

run();
