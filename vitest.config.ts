import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Files that need a process of their own, or whose tests are about processes: they start programs, pack packages, end
 * on signals, or look at what the whole process does.
 */
const ALONE = [
  'packages/cli/test/**/*.test.ts',
  'packages/client/test/{generated,package,package-frameworks}.test.ts',
  'packages/console/test/browser/**/*.test.ts',
  'packages/mcp/test/set-up.test.ts',
  'packages/server/test/browser/**/*.test.ts',
  'packages/server/test/trust/{crash,isolation,key-commands,limit-commands,secrets,settings,stopping}.test.ts',
  'packages/server/test/reader/browser.test.ts',
  'packages/reader/test/{browser-escape,limits}.test.ts',
  'packages/store/test/{broken-connection,durability,opening,server-lock}.test.ts',
  'packages/router/test/upstream/load.test.ts',
  'test/**/*.test.ts',
];
const IN_PROCESS = 'packages/*/test/**/*.test.ts';

/** TEST_ISOLATE=1 gives each file a process of its own. Slower; it shows what only holds while files share one. */
const isAllIsolated = process.env.TEST_ISOLATE === '1';

// of each project: what `extends` hands down, `--maxWorkers` could not change
const COMMON = {
  environment: 'node',
  // Processes, not threads: tests load a native database driver and start worker threads of their own, and a crash
  // must not end the whole run.
  pool: 'forks',
  // far beyond what any test takes: a machine under load must not fail what is right
  testTimeout: 60_000,
  hookTimeout: 90_000,
  expect: { poll: { timeout: 20_000 } },
} as const;

export default defineConfig({
  test: {
    // one more than there are cores: many tests wait for a timer or a socket
    maxWorkers: availableParallelism() + 1,
    projects: [
      { test: { ...COMMON, name: 'alone', include: ALONE } },
      {
        test: {
          ...COMMON,
          // a quarter of the time would go into loading the same modules again for each file
          name: 'shared',
          isolate: isAllIsolated,
          unstubEnvs: true,
          include: [IN_PROCESS],
          exclude: [...configDefaults.exclude, ...ALONE],
        },
      },
    ],
  },
});
