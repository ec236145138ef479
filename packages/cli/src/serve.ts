import { createLog, misspeltSettings, readConfig, startServer } from '@trawl/server';
import { mcpMount } from './mcp-mount.ts';
import type { Runtime } from './runtime.ts';
import { untilStopped } from './signals.ts';

/** Runs the server until a signal stops it. */
export async function serve({
  environment,
  version,
  workerUrl,
  extractWorkerUrl,
}: Runtime): Promise<void> {
  const config = readConfig(environment);
  const log = createLog(config.logLevel);
  for (const line of misspeltSettings(environment)) log.warn(line);
  const mounts = [mcpMount({ version, log })];
  const server = await startServer(config, log, { version, workerUrl, extractWorkerUrl, mounts });
  await untilStopped(async () => {
    log.info('stopping: no new requests, waiting for those under way');
    await server.stop();
    log.info('stopped');
  });
}
