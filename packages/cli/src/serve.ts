import { createLog, readConfig, startServer } from '@trawl/server';
import type { Runtime } from './runtime.ts';
import { untilStopped } from './signals.ts';

/** Runs the server until a signal stops it. */
export async function serve({ environment, version, workerUrl }: Runtime): Promise<void> {
  const config = readConfig(environment);
  const log = createLog(config.logLevel);
  const server = await startServer(config, log, { version, workerUrl });
  await untilStopped(async () => {
    log.info('stopping: no new requests, waiting for those under way');
    await server.stop();
    log.info('stopped');
  });
}
