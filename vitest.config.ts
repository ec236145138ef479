import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    // Processes, not threads: tests load a native database driver and start worker threads of their own, and a crash
    // or a process-wide setting in one file must not reach another.
    pool: 'forks',
    // one more than there are cores: many tests wait for a timer or a socket
    maxWorkers: availableParallelism() + 1,
    // far beyond what any test takes: a machine under load must not fail what is right
    testTimeout: 60_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
