/**
 * The least code that keeps a search on disk: a thread that writes the interaction into one table
 * and its runs into another, in one transaction, committed with `synchronous=FULL`.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';

/** @returns what writes the answer of a search and resolves when it is committed */
export async function startPlainRecorder(folder) {
  const worker = new Worker(new URL(import.meta.url), { workerData: folder });
  const waiting = [];
  await once(worker, 'message');
  worker.on('message', () => waiting.shift()());
  return ({ preprocessor_runs: runs, ...rest }) => {
    worker.postMessage({
      id: rest.interaction_id,
      rest: JSON.stringify(rest),
      runs: runs.map((run) => [run.id, JSON.stringify(run)]),
    });
    return new Promise((resolve) => waiting.push(resolve));
  };
}

function record(folder) {
  const database = new DatabaseSync(join(folder, 'plain.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE interactions (id TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID');
  database.exec('CREATE TABLE runs (id TEXT PRIMARY KEY, interaction TEXT, body TEXT)');
  const addInteraction = database.prepare('INSERT INTO interactions VALUES (?, ?)');
  const addRun = database.prepare('INSERT INTO runs VALUES (?, ?, ?)');
  parentPort.on('message', ({ id, rest, runs }) => {
    database.exec('BEGIN IMMEDIATE');
    addInteraction.run(id, rest);
    for (const [runId, body] of runs) addRun.run(runId, id, body);
    database.exec('COMMIT');
    parentPort.postMessage('committed');
  });
  parentPort.postMessage('ready');
}

if (!isMainThread) record(workerData);
