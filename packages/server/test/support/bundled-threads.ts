import type { TestProject } from 'vitest/node';
import { bundleForNode } from './bundle-for-node.ts';

const RECORDER = new URL('../../../store/src/recorder/recorder-worker.ts', import.meta.url);
const EXTRACTOR = new URL('../../../reader/src/threads/extract-worker.ts', import.meta.url);

declare module 'vitest' {
  interface ProvidedContext {
    /** Addresses of files. */
    recorderThread: string;
    extractThread: string;
  }
}

/** Bundles the threads of a server once for a whole run: Node.js cannot run TypeScript in a thread. */
export default async function bundleThreads({ provide }: TestProject): Promise<void> {
  const [recorder, extractor] = await Promise.all([
    bundleForNode(RECORDER),
    bundleForNode(EXTRACTOR),
  ]);
  provide('recorderThread', recorder.href);
  provide('extractThread', extractor.href);
}
