import { readFileSync } from 'node:fs';
import { createTopicClassifier } from '../../packages/topics/src/classifier/classify.ts';
import { decodeModel } from '../../packages/topics/src/classifier/model-file.ts';
import { readExamples } from './examples.ts';

const ROUNDS = 10;
const MEGABYTE = 1024 * 1024;

/** Prints the cost of one classification, and the cost of loading the model. */
export function bench(modelPath: string, testPaths: readonly string[]): void {
  const queries = testPaths.flatMap(readExamples).map(({ query }) => query);
  const memoryBefore = memory();
  const startedAt = performance.now();
  const classifier = createTopicClassifier(decodeModel(readFileSync(modelPath)));
  const loadMs = performance.now() - startedAt;
  const firstAt = performance.now();
  classifier.classify('first query of all');
  const firstMs = performance.now() - firstAt;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const query of queries) {
      const from = performance.now();
      classifier.classify(query);
      // the first round warms the code up, as the first requests of a server do
      if (round > 0) times.push(performance.now() - from);
    }
  }
  times.sort((a, b) => a - b);
  const quantile = (share: number) => (times[Math.floor(share * times.length)] ?? 0).toFixed(3);
  const huge = 'x '.repeat(500_000);
  const hugeAt = performance.now();
  classifier.classify(huge);
  const hugeMs = performance.now() - hugeAt;
  console.log(
    `classification: p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms (${times.length})`,
  );
  console.log(`a query of 1 MB: ${hugeMs.toFixed(2)} ms`);
  console.log(`load: ${loadMs.toFixed(1)} ms, the first classification ${firstMs.toFixed(1)} ms`);
  console.log(`memory: ${((memory() - memoryBefore) / MEGABYTE).toFixed(1)} MB`);
}

/** Memory in use, after a garbage collection if that is available (`--expose-gc`). */
function memory(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
