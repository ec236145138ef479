import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '@trawl/test-support/harness';

/** Servers in this process on one database, each with a sandbox of its own. */
export interface Replicas {
  readonly servers: readonly [TestServer, TestServer];
  /** How many calls reached providers. */
  calls(): number;
  stop(): Promise<void>;
}

/** Two servers on one fresh database. */
export async function startReplicas(
  options: TestServerOptions & Required<Pick<TestServerOptions, 'database'>>,
): Promise<Replicas> {
  const first = await startTestServer(options);
  const same = { ...options.database, create: async () => ({ ...first.database, drop: nothing }) };
  const second = await startTestServer({ ...options, database: same });
  const servers = [first, second] as const;
  return {
    servers,
    calls: () => servers.reduce((sum, { sandbox }) => sum + sandbox.calls.length, 0),
    stop: async () => {
      await second.stop();
      await first.stop();
    },
  };
}

const nothing = async (): Promise<void> => {};
