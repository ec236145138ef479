import { systemClock } from '@trawl/base';
import { commandHere } from '@trawl/client/terminal/manifest';
import { counted } from '@trawl/client/terminal/output';
import { isConfirmed, processTerminal, type Terminal } from '@trawl/client/terminal/terminal';
import { parsedUrl } from '@trawl/contract';
import { directBrowserProblem } from '@trawl/reader';
import { createDeployment } from '@trawl/router';
import {
  type Config,
  ConfigError,
  deploymentNotes,
  deploymentProblems,
  deploymentWarnings,
  type Environment,
  idleSettings,
  openProbes,
  type Probe,
  readConfig,
  webhookOf,
  withStoredKeys,
} from '@trawl/server';
import type { Runtime } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';
import { unknownNames } from '../server/unknown-names.ts';
import { type DoctorCheck, isHealthy, reportJson, reportText } from './doctor-check.ts';
import { checkLogin } from './doctor-login.ts';
import { checkClock, checkDisk, checkNode } from './doctor-machine.ts';
import {
  dataUseCheck,
  priceLines,
  probedCheck,
  skippedCheck,
  totalText,
} from './doctor-providers.ts';
import { checkSharedRedis } from './doctor-redis.ts';
import { checkHealth, checkServer } from './doctor-server.ts';
import { checkDatabase } from './doctor-store.ts';

export interface DoctorOptions {
  /** true = every configured provider; a string = a comma list of providers. */
  readonly probe?: boolean | string;
  readonly page: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Checks settings, machine, database, server and providers; true when nothing is wrong. */
export async function doctor(
  runtime: Runtime,
  options: DoctorOptions,
  terminal: Terminal = processTerminal,
): Promise<boolean> {
  const page = readPage(options.page);
  const checks = [
    checkNode(process.versions.node),
    ...(await checkAll(runtime, options, page, terminal)),
  ];
  terminal.print(options.json ? reportJson(checks) : reportText(checks));
  return isHealthy(checks);
}

async function checkAll(
  runtime: Runtime,
  options: DoctorOptions,
  page: URL,
  terminal: Terminal,
): Promise<readonly DoctorCheck[]> {
  const settings = readSettings(runtime.environment);
  if ('problems' in settings) return settings.problems.map(settingsCheck('problem'));
  const { config, closed } = await withStoredKeys(settings);
  const providers = await checkProviders(config, runtime, { ...options, page }, terminal);
  const { check: database, newestAt } = await checkDatabase(config);
  return [
    ...(await checkSettings(config, runtime)),
    ...checkTables(config),
    ...checkAlerts(config),
    ...closed.map(closedKey),
    ...(config.databaseUrl === undefined ? [await checkDisk(config.dataDir)] : []),
    database,
    ...(await checkSharedRedis(config)),
    checkClock(systemClock.now(), { pricesOf: config.prices.version, newestAt }),
    await checkServer(config),
    ...(await checkHealth(config)),
    ...(await checkLogin(config)),
    ...providers,
    dataUseCheck(createDeployment(config)),
  ];
}

function readSettings(environment: Environment): Config | ConfigError {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

const settingsCheck =
  (state: DoctorCheck['state']) =>
  (message: string): DoctorCheck => ({ check: 'settings', state, message });

async function checkSettings(config: Config, runtime: Runtime): Promise<readonly DoctorCheck[]> {
  const deployment = createDeployment(config);
  const browserProblem = await directBrowserProblem(config);
  const warnings = [
    ...deploymentWarnings(config, deployment),
    ...idleSettings(runtime.environment),
    ...unknownNames(runtime, config),
    ...(browserProblem === null ? [] : [browserProblem]),
  ];
  const checks = [
    ...deploymentProblems(deployment).map(settingsCheck('problem')),
    ...warnings.map(settingsCheck('warning')),
  ];
  const all = checks.length > 0 ? checks : [settingsCheck('ok')('all settings are valid and used')];
  return [...all, ...deploymentNotes(deployment).map(settingsCheck('ok'))];
}

/** The size of the operator's own files. An invalid one is reported with the settings. */
function checkTables({ declaredProviders, topicWords, pageRules }: Config): readonly DoctorCheck[] {
  const words = topicWords.reduce((sum, { terms }) => sum + terms.length, 0);
  const tables = [
    ['declared providers', declaredProviders.length],
    ['topic words', words],
    ['page rules', pageRules.length],
  ] as const;
  return tables
    .filter(([, count]) => count > 0)
    .map(([check, count]) => ({ check, state: 'ok', message: `${count} of your own are loaded` }));
}

/** Where alerts go. The rest of the address may be a secret. */
function checkAlerts(config: Config): readonly DoctorCheck[] {
  const webhook = webhookOf(config);
  if (!webhook) return [];
  const { host } = new URL(webhook.url);
  const message = `alerts go to ${host}; "${commandHere()} alerts test" sends one`;
  return [{ check: 'alerts', state: 'ok', message }];
}

const closedKey = (provider: string): DoctorCheck => ({
  check: `${provider} key`,
  state: 'warning',
  message:
    'a key that was set in the console does not open under this SECRETS_KEY: give it the one under which it was set, or remove the key in the console and set it again',
});

/** Calls the providers that `--probe` selects, after a confirmation. */
async function checkProviders(
  config: Config,
  { version, extractWorkerUrl }: Runtime,
  options: Pick<DoctorOptions, 'probe' | 'yes'> & { readonly page: URL },
  terminal: Terminal,
): Promise<readonly DoctorCheck[]> {
  const { page } = options;
  const { signal } = new AbortController();
  const clock = systemClock;
  const opened = openProbes(config, { version, clock, extractWorkerUrl, page, signal });
  try {
    const named = namesOf(options, opened.probes);
    const wanted = opened.probes.filter(
      ({ obstacle, provider }) =>
        obstacle === undefined && (named?.includes(provider) ?? options.probe === true),
    );
    const isPaid = wanted.length > 0 && (await confirmCost(wanted, options, terminal));
    const checks = opened.probes.map(async (probe) =>
      isPaid && wanted.includes(probe)
        ? probedCheck(probe, await probe.ask())
        : skippedCheck(probe, page, named?.includes(probe.provider) ?? false),
    );
    return await Promise.all(checks);
  } finally {
    await opened.close();
  }
}

/** The providers that `--probe` names; null = it does not name any. */
function namesOf(
  { probe }: Pick<DoctorOptions, 'probe'>,
  probes: readonly Probe[],
): readonly string[] | null {
  if (typeof probe !== 'string') return null;
  const names = probe.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !probes.some(({ provider }) => provider === name));
  if (unknown.length > 0)
    throw new UsageError(`--probe: no provider is called ${unknown.join(', ')}`);
  return names;
}

async function confirmCost(
  probes: readonly Probe[],
  { yes }: Pick<DoctorOptions, 'yes'>,
  terminal: Terminal,
): Promise<boolean> {
  terminal.note(`One real call to each, at list price:\n${priceLines(probes)}`);
  if (yes) return true;
  const question = `Make ${counted(probes.length, 'call')} for ${totalText(probes)}?`;
  return isConfirmed(question, 'nothing was sent', 'makes the calls', terminal);
}

function readPage(text: string): URL {
  const url = parsedUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError('--page takes an http:// or https:// URL');
  }
  return url;
}
