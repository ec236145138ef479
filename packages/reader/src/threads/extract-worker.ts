import { parentPort, workerData } from 'node:worker_threads';
import { pageFamilies } from '../diagnosis/page-rules.ts';
import type {
  ExtractAnswer,
  ExtractionSettings,
  ExtractTask,
  FromExtractor,
} from '../pages/extract-protocol.ts';
import { performTask } from './extract-task.ts';

/** Entry of an extraction thread: one task after the other. */
function run(): void {
  const port = parentPort;
  if (!port) throw new Error('pages are extracted in a worker thread only');
  const { pageRules } = workerData as ExtractionSettings;
  const send = (message: FromExtractor): void => port.postMessage(message);
  send({ kind: 'ready' });
  // read while the first page is on its way
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
  // such as the bytes of a page that were handed over before
  port.on('messageerror', (error) => send({ kind: 'failed', reason: error.name }));
}

run();
