import type { TestProject } from 'vitest/node';
import { buildOutdated } from '../../../scripts/build.mjs';
import { bundleForNode } from './bundle-for-node.ts';

const RECORDER = new URL('../../store/src/recorder/recorder-worker.ts', import.meta.url);
const EXTRACTOR = new URL('../../reader/src/threads/extract-worker.ts', import.meta.url);

/**
 * Once for a whole run: `dist/` of the sources as they are, and the threads of servers in tests,
 * since Node.js cannot run TypeScript in a thread.
 */
export default async function buildPrograms({ provide }: TestProject): Promise<void> {
  await buildOutdated();
  const [recorder, extractor] = await Promise.all([
    bundleForNode(RECORDER),
    bundleForNode(EXTRACTOR),
  ]);
  provide('recorderThread', recorder.href);
  provide('extractThread', extractor.href);
}
