import { systemClock } from '@trawl/base';
import { consoleBranch, createSetupCode } from '@trawl/console-api';
import { createLog, logFormat, misspeltSettings, readConfig, startServer } from '@trawl/server';
import type { Runtime } from '../program/runtime.ts';
import { untilStopped } from '../program/signals.ts';
import { styleOf } from '../program/style.ts';
import { mcpMount } from './mcp-mount.ts';
import { welcomeText } from './welcome.ts';

/** Runs the server until a signal stops it. */
export async function serve({
  environment,
  version,
  workerUrl,
  extractWorkerUrl,
}: Runtime): Promise<void> {
  const config = readConfig(environment);
  const style = styleOf(process.stdout, environment);
  const log = createLog(config.logLevel, process.stdout, {
    format: config.logFormat,
    paint: style,
  });
  for (const line of misspeltSettings(environment)) log.warn(line);
  const mounts = [mcpMount({ version, log, searchFallback: config.searchFallback })];
  const branches = config.console === 'on' ? [consoleBranch()] : [];
  const paths = { workerUrl, extractWorkerUrl };
  const server = await startServer(config, log, { version, ...paths, mounts, branches });
  if (style.isTerminal && logFormat(process.stdout, config.logFormat) === 'pretty') {
    const { store, url } = server;
    const hasConsole = config.console === 'on';
    const setupCode = hasConsole ? await createSetupCode(store.accounts, systemClock) : null;
    process.stdout.write(welcomeText({ version, url, config, setupCode, bold: style.bold }));
  }
  await untilStopped(async () => {
    log.info('stopping: no new requests, waiting for those in progress');
    await server.stop();
    log.info('stopped');
  });
}
