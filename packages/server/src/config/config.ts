import { parseEnv } from 'node:util';
import { readFault, readTextFile } from '@trawl/base';
import { type SearchProvider, searchProvidersWith } from '@trawl/providers';
import type { ProviderSettings } from '@trawl/router';
import { type Environment, isGiven, type ReadSetting, settingReader, textOf } from './given.ts';
import { settingNames } from './names.ts';
import { readProviders } from './provider-settings.ts';
import { readProvidersFile } from './providers-file.ts';
import { SETTINGS, type Setting } from './settings.ts';

export type { Environment } from './given.ts';

type ValueOf<Of> = Of extends Setting<infer Value> ? Value : never;

/** Each general setting under its key in `SETTINGS`. */
type GeneralSettings = {
  readonly [Key in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Key]>;
};

export interface Config extends GeneralSettings {
  /** Those of `PROVIDERS_FILE`. */
  readonly declaredProviders: readonly SearchProvider[];
  /** By slug. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
}

/**
 * A start with wrong settings: one line for each. Values are never repeated, they may be secrets.
 */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`wrong settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/**
 * Reads the settings. Empty values count as unset.
 * @throws ConfigError naming every wrong setting at once
 */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const read = settingReader(environment, problems);
  const declaredProviders = readDeclaredProviders(environment, problems);
  const slugs = searchProvidersWith(declaredProviders).map(({ slug }) => slug);
  const config: Config = {
    ...readGeneral(read, slugs),
    declaredProviders,
    providers: readProviders(read, problems),
  };
  checkWorkers(environment, problems);
  checkSingleSignOn(environment, problems);
  checkAlerts(environment, config, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** @param slugs of the search providers */
function readGeneral(read: ReadSetting, slugs: readonly string[]): GeneralSettings {
  const entries = Object.entries<Setting<unknown>>(SETTINGS).map(
    ([key, { name, schema, schemaFor, initial }]) => [
      key,
      read(name, schemaFor?.(slugs) ?? schema, initial),
    ],
  );
  return Object.fromEntries(entries) as GeneralSettings;
}

/** The file is one setting that others name providers of, and rests on another one itself. */
function readDeclaredProviders(
  environment: Environment,
  problems: string[],
): readonly SearchProvider[] {
  const { providersFile, fetchAllowPrivateHosts: hosts } = SETTINGS;
  const path = textOf(environment, providersFile.name);
  if (path === '') return [];
  // a wrong list of hosts is reported with the other settings
  const allowedHosts = settingReader(environment, [])(hosts.name, hosts.schema, hosts.initial);
  const found = readProvidersFile(path, {
    variable: (name) => textOf(environment, name) || undefined,
    settings: settingNames(),
    allowedHosts,
  });
  problems.push(...found.problems.map((problem) => `${providersFile.name} ${problem}`));
  return found.providers;
}

/** Several processes share a database that one process alone could keep. */
function checkWorkers(environment: Environment, problems: string[]): void {
  const { workers, databaseUrl } = SETTINGS;
  const isSeveral = Number((environment[workers.name] ?? '').trim()) > 1;
  if (!isSeveral || isGiven(environment, databaseUrl.name)) return;
  problems.push(
    `${workers.name} must be 1 where ${databaseUrl.name} is not set: several processes need PostgreSQL, which keeps their budgets and repeated requests`,
  );
}

/** Names of the settings without which single sign-on cannot work. */
function checkSingleSignOn(environment: Environment, problems: string[]): void {
  const isSet = ({ name }: Setting<unknown>) => isGiven(environment, name);
  const { consoleOidcIssuer: issuer, consoleOidcOnly: only, publicUrl } = SETTINGS;
  if (!isSet(issuer)) {
    const isOnly = (environment[only.name] ?? '').trim() === 'on';
    if (isOnly) problems.push(`${issuer.name} must be set where ${only.name} is on`);
    return;
  }
  const { consoleOidcClientId: id, consoleOidcClientSecret: clientSecret } = SETTINGS;
  for (const needed of [id, clientSecret, publicUrl].filter((setting) => !isSet(setting))) {
    problems.push(`${needed.name} must be set where ${issuer.name} is`);
  }
}

/** Address and secret of alerts need each other. A wrong one is not reported as absent too. */
function checkAlerts(environment: Environment, config: Config, problems: string[]): void {
  const { alertWebhookUrl: url, alertWebhookSecret: secret } = SETTINGS;
  const needs = (given: Setting<unknown>, value: unknown, other: Setting<unknown>): void => {
    if (value === undefined || isGiven(environment, other.name)) return;
    problems.push(`${other.name} must be set where ${given.name} is`);
  };
  needs(url, config.alertWebhookUrl, secret);
  needs(secret, config.alertWebhookSecret, url);
}

/** The process environment over a `.env` file in the working directory, if there is one. */
export function readEnvironment(file = '.env'): Environment {
  return { ...dotEnv(file), ...process.env };
}

function dotEnv(file: string): Environment {
  try {
    return parseEnv(readTextFile(file));
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isAbsent) return {};
    throw new ConfigError([`${file} ${readFault(error)}`]);
  }
}
