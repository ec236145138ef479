import { systemClock } from '@trawl/base';
import { consoleBranch, createSetupCode } from '@trawl/console-api';
import {
  type Config,
  createLog,
  logFormat,
  misspeltSettings,
  readConfig,
  readEnvironment,
  readProviderKeys,
  startServer,
} from '@trawl/server';
import type { Runtime } from '../program/runtime.ts';
import { untilStopped } from '../program/signals.ts';
import { type Style, styleOf } from '../program/style.ts';
import { UsageError } from '../program/usage-error.ts';
import { superviseWorkers } from '../workers/primary.ts';
import { sharedMetricsText } from '../workers/shared-metrics.ts';
import { leavePrimary, listenByPrimary, watchPrimary } from '../workers/worker.ts';
import { setEngineFlags } from './engine-flags.ts';
import { mcpMount } from './mcp-mount.ts';
import { welcomeText } from './welcome.ts';

/**
 * Runs the server until a signal stops it, as one process or as several.
 * @param worker the number of this process among several; the primary gives it
 */
export async function serve(runtime: Runtime, worker?: number): Promise<void> {
  if (worker !== undefined && !process.connected) {
    throw new UsageError(
      '--worker is for the processes that the server starts itself: set WORKERS',
    );
  }
  const { environment } = runtime;
  const config = readConfig(environment);
  const style = styleOf(process.stdout, environment);
  const log = createLog(config.logLevel, process.stdout, {
    format: config.logFormat,
    paint: style,
    worker,
  });
  if (worker === undefined) {
    for (const line of misspeltSettings(environment)) log.warn(line);
    if (config.workers > 1) {
      await superviseWorkers({ count: config.workers, log });
      return;
    }
  }
  try {
    await serveHere(runtime, { config, log, style, worker });
  } finally {
    leavePrimary();
  }
}

interface Serving {
  readonly config: Config;
  readonly log: ReturnType<typeof createLog>;
  readonly style: Style;
  /** The number of this process among several. */
  readonly worker: number | undefined;
}

async function serveHere(
  { version, workerUrl, extractWorkerUrl }: Runtime,
  { config, log, style, worker }: Serving,
): Promise<void> {
  setEngineFlags();
  const mounts = [mcpMount({ version, log, searchFallback: config.searchFallback })];
  const branches = config.console === 'on' ? [consoleBranch()] : [];
  const paths = { workerUrl, extractWorkerUrl };
  const isFirst = worker === undefined || worker === 1;
  // before the start: the primary may say stop as soon as this process listens
  const untilEnd = worker === undefined ? untilStopped : watchPrimary();
  const server = await startServer(config, log, {
    version,
    ...paths,
    mounts,
    branches,
    isDeploymentLogged: isFirst,
    readProviderKeys: () => readProviderKeys(readEnvironment()),
    ...(worker === undefined ? {} : { listen: listenByPrimary, metricsText: sharedMetricsText }),
  });
  // a terminal sends this signal when it closes, and then the server should end
  if (!style.isTerminal) process.on('SIGHUP', server.checkProviderKeys);
  if (isFirst && style.isTerminal && logFormat(process.stdout, config.logFormat) === 'pretty') {
    const { store, url } = server;
    const hasConsole = config.console === 'on';
    const setupCode = hasConsole ? await createSetupCode(store.accounts, systemClock) : null;
    process.stdout.write(welcomeText({ version, url, config, setupCode, bold: style.bold }));
  }
  await untilEnd(async () => {
    log.info('stopping: no new requests, waiting for those in progress');
    await server.stop();
    log.info('stopped');
  });
}
