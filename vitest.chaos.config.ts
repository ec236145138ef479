import { configDefaults, defineConfig } from 'vitest/config';

const isFull = process.env.CHAOS_FORM === 'full';

/**
 * The full form measures times and memory, so its files run one after the other. The short form
 * asserts outcomes.
 */
export default defineConfig({
  test: {
    include: ['packages/*/test/chaos/*.chaos.ts'],
    exclude: [...configDefaults.exclude, ...(isFull ? [] : ['**/*.full.chaos.ts'])],
    environment: 'node',
    globalSetup: [
      './packages/test-support/test/build-programs.ts',
      // what is measured has a disk
      ...(isFull ? [] : ['./packages/test-support/test/test-folder.ts']),
    ],
    setupFiles: './packages/test-support/test/processor-time.ts',
    pool: 'forks',
    // to load the server once more takes almost 2 s of processor time
    isolate: isFull,
    maxWorkers: isFull ? 1 : 2,
    // the soak takes minutes
    testTimeout: 30 * 60_000,
    hookTimeout: 5 * 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
