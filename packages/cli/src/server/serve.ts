import cluster from 'node:cluster';
import { createLogOutput, type LogOutput, systemClock } from '@trawl/base';
import { commandHere } from '@trawl/client/terminal/manifest';
import { aligned } from '@trawl/client/terminal/output';
import { goOnWithoutOutput } from '@trawl/client/terminal/standard-output';
import type { Painter } from '@trawl/client/terminal/style';
import { type Style, styleOf } from '@trawl/client/terminal/style';
import { consoleBranch, createSetupCode } from '@trawl/console-api';
import { createDeployment, isCandidate } from '@trawl/router';
import {
  type Config,
  createLog,
  logFormat,
  type RunningServer,
  readConfig,
  readEnvironment,
  readProviderKeys,
  startServer,
  withStoredKeys,
} from '@trawl/server';
import { databaseName } from '../program/database-name.ts';
import { endSoon } from '../program/failures.ts';
import type { Runtime } from '../program/runtime.ts';
import { untilStopped } from '../program/signals.ts';
import { setEngineFlags } from './engine-flags.ts';
import { mcpMount } from './mcp-mount.ts';
import { unknownNames } from './unknown-names.ts';
import { sharedMetricsText } from './workers/metrics.ts';
import { superviseWorkers } from './workers/primary.ts';
import { onPrimaryStop } from './workers/worker.ts';

const TERMINAL_SIGNALS = ['SIGINT', 'SIGHUP'] as const;

/** Runs the server until a signal stops it, as one process or as several. */
export async function serve(runtime: () => Promise<Runtime>): Promise<void> {
  // a Ctrl-C reaches the primary and its workers alike, and what it means is the primary's decision
  if (cluster.isWorker) for (const signal of TERMINAL_SIGNALS) process.on(signal, () => undefined);
  try {
    await serveAs(await runtime());
  } finally {
    cluster.worker?.disconnect();
    endSoon();
  }
}

async function serveAs(runtime: Runtime): Promise<void> {
  const worker = cluster.worker?.id;
  const { environment } = runtime;
  const config = readConfig(environment);
  const style = styleOf(process.stdout, environment);
  const output = createLogOutput(process.stdout, sayLinesAreLost);
  goOnWithoutOutput();
  const { logFormat: format } = config;
  const log = createLog(config.logLevel, output, { format, paint: style, worker });
  if (cluster.isPrimary) for (const line of unknownNames(runtime, config)) log.warn(line);
  if (cluster.isPrimary && config.workers > 1) {
    await superviseWorkers({ count: config.workers, log, linesLost: output.linesLost });
  } else {
    await serveHere(runtime, { config, log, output, style, worker });
  }
}

const sayLinesAreLost = (reason: string): void =>
  void process.stderr.write(
    `trawl: log lines are lost: standard output ${reason}; the server goes on, and counts them in trawl_log_lines_lost_total\n`,
  );

interface Serving {
  readonly config: Config;
  readonly log: ReturnType<typeof createLog>;
  readonly output: LogOutput;
  readonly style: Style;
  /** The number of this process among several. */
  readonly worker: number | undefined;
}

async function serveHere(
  { version, workerUrl, extractWorkerUrl }: Runtime,
  { config, log, output, style, worker }: Serving,
): Promise<void> {
  setEngineFlags();
  const { searchFallback, mcpTools: toolNames } = config;
  const mounts = [mcpMount({ version, log, searchFallback, toolNames })];
  const branches = config.console === 'on' ? [consoleBranch()] : [];
  const paths = { workerUrl, extractWorkerUrl };
  const isFirst = worker === undefined || worker === 1;
  const server = await startServer(config, log, {
    version,
    ...paths,
    mounts,
    branches,
    isDeploymentLogged: isFirst,
    logLinesLost: output.linesLost,
    readProviderKeys: () => readProviderKeys(readEnvironment()),
    metricsText: cluster.isWorker ? sharedMetricsText : undefined,
  });
  const ended = untilStopped(
    async () => {
      log.info('stopping: no new requests, waiting for those in progress');
      await server.stop();
      log.info('stopped');
    },
    (error, what) => log.fatal({ err: error }, what),
    cluster.isWorker ? onPrimaryStop : undefined,
  );
  // a terminal sends this signal when it closes, and then the server should end
  if (!style.isTerminal) process.on('SIGHUP', server.checkProviderKeys);
  if (isFirst && style.isTerminal && logFormat(output, config.logFormat) === 'pretty') {
    // its failure stops the server like any other
    void welcome(server, { version, config, bold: style.bold }).then(output.write);
  }
  await ended;
}

async function welcome(
  { store, url }: RunningServer,
  shown: Pick<Parameters<typeof welcomeText>[0], 'version' | 'config' | 'bold'>,
): Promise<string> {
  const hasConsole = shown.config.console === 'on';
  const setupCode = hasConsole ? await createSetupCode(store, systemClock) : null;
  const { config } = await withStoredKeys(shown.config);
  return welcomeText({ ...shown, config, url, setupCode });
}

interface Started {
  readonly version: string;
  readonly url: string;
  readonly config: Config;
  /** For the first account of the console; null when one exists. */
  readonly setupCode: string | null;
  readonly bold: Painter;
}

/**
 * Shown when a server is up: its address, the documentation, how to make a key, and the configured
 * providers.
 */
function welcomeText({ version, url, config, setupCode, bold }: Started): string {
  const { searchProviders, fetchProviders, fetchChain, defaultSet } = createDeployment(config);
  const searching = [...searchProviders.values()].filter(isCandidate);
  const isKeyless = !searching.some(({ isConfigured }) => isConfigured);
  const slugs = searching.map(({ declaration }) => declaration.slug);
  const defaults = defaultSet.filter((slug) => slugs.includes(slug));
  const fetching = fetchChain.filter((slug) => {
    const provider = fetchProviders.get(slug);
    return provider !== undefined && isCandidate(provider);
  });
  const search =
    slugs.length === 0
      ? `no provider is configured: "${commandHere()} doctor" says what to set`
      : `${isKeyless ? 'outside services without a key: ' : ''}${slugs.join(', ')}; by default ${defaults.join(', ') || 'none of them'}`;
  const lines: readonly (readonly [string, string])[] = [
    ['docs', `${url}/docs`],
    ['API', `${url}/docs/reference`],
    ...(config.console === 'on' ? consoleLines(url, setupCode) : []),
    ['database', databaseName(config)],
    ['search', search],
    ['fetch', fetching.join(', ')],
    ['a key', `${commandHere()} keys create --name laptop`],
  ];
  const rows = aligned(lines.map(([name, text]) => [`  ${name}`, text])).map((row) => `${row}\n`);
  return `\n${bold(`trawl ${version} is listening on ${url}`)}\n${rows.join('')}\n`;
}

/** The code is shown on a terminal only, because logs are kept. */
const consoleLines = (
  url: string,
  setupCode: string | null,
): readonly (readonly [string, string])[] => [
  ['console', `${url}/console`],
  ...(setupCode === null ? [] : [['code', `${setupCode}, for the first account`] as const]),
];
