import { parentPort, workerData } from 'node:worker_threads';
import { pageFamilies } from '../diagnosis/page-families.ts';
import type {
  ExtractAnswer,
  ExtractionSettings,
  ExtractTask,
  FromExtractor,
} from '../pages/extract-protocol.ts';
import { performTask } from './extract-task.ts';

/** Entry point of an extraction thread, which runs one task after the other. */
function run(): void {
  const port = parentPort;
  if (!port) throw new Error('pages are extracted in a worker thread only');
  const { pageRules } = workerData as ExtractionSettings;
  const send = (message: FromExtractor): void => port.postMessage(message);
  send({ kind: 'ready' });
  // loaded while the first page is being downloaded
  const families = pageFamilies(pageRules);
  port.on('message', (task: ExtractTask) => {
    void performTask(task, families)
      .catch(
        (error: unknown): ExtractAnswer => ({
          kind: 'failed',
          reason: error instanceof Error ? error.name : 'unknown',
        }),
      )
      .then(send);
  });
  // such as bytes that were already transferred
  port.on('messageerror', (error) => send({ kind: 'failed', reason: error.name }));
}

run();
