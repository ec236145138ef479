import { parentPort } from 'node:worker_threads';
import { extractPage } from './extract/extract-page.ts';
import type { FromExtractor, ToExtractor } from './extract-protocol.ts';

/** Entry of an extraction thread: one page after the other. */
function run(): void {
  const port = parentPort;
  if (!port) throw new Error('pages are extracted in a worker thread only');
  port.on('message', ({ download, wish }: ToExtractor) => {
    void extractPage(download, wish)
      .then(
        (reading): FromExtractor => ({ kind: 'read', reading }),
        (error: unknown): FromExtractor => ({
          kind: 'failed',
          reason: error instanceof Error ? error.name : 'unknown',
        }),
      )
      .then((answer) => port.postMessage(answer));
  });
}

run();
