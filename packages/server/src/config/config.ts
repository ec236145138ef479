import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { FETCH_PROVIDERS, SEARCH_PROVIDERS } from '@trawl/providers';
import { baseUrlVariable, type ProviderSettings } from '@trawl/router';
import type { z } from 'zod';
import { httpUrl, integer, LATER, SETTINGS, type Setting, secret } from './settings.ts';

type ValueOf<Of> = Of extends Setting<infer Value> ? Value : never;

/** Each general setting under its key in `SETTINGS`. */
type GeneralSettings = {
  readonly [Key in keyof typeof SETTINGS]: ValueOf<(typeof SETTINGS)[Key]>;
};

export interface Config extends GeneralSettings {
  /** By slug. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** Settings that are set but that this version does not use yet; logged at start. */
  readonly unused: readonly string[];
}

/** A start with wrong settings: one line for each. Values are never repeated, they may be secrets. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`wrong settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

const timeoutName = (slug: string): string => `${slug.toUpperCase()}_TIMEOUT_MS`;

const timeout = integer(1, 3_600_000);
const WORKERS = 'WORKERS';

/**
 * Reads the settings. Empty values count as unset.
 * @throws ConfigError naming every wrong setting at once
 */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const read: ReadSetting = (name, schema, initial) => {
    const value = (environment[name] ?? '').trim();
    if (value === '') return initial;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    problems.push(`${name} ${parsed.error.issues[0]?.message ?? 'is wrong'}`);
    return initial;
  };
  const config: Config = {
    ...readGeneral(read),
    providers: readProviders(read),
    unused: LATER.filter((name) => (environment[name] ?? '').trim() !== ''),
  };
  checkWorkers(environment, problems);
  checkSingleSignOn(environment, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** The value of one variable; the initial one where it is not set, or is wrong. */
type ReadSetting = <Value>(name: string, schema: z.ZodType<Value>, initial: Value) => Value;

function readGeneral(read: ReadSetting): GeneralSettings {
  const entries = Object.entries<Setting<unknown>>(SETTINGS).map(
    ([key, { name, schema, initial }]) => [key, read(name, schema, initial)],
  );
  return Object.fromEntries(entries) as GeneralSettings;
}

function readProviders(read: ReadSetting): Config['providers'] {
  const optional = <Value>(name: string, schema: z.ZodType<Value>) =>
    read<Value | undefined>(name, schema, undefined);
  const entries = providerNames().map(([slug, variables]): [string, ProviderSettings] => {
    const credentials = variables.map((name) => optional(name, secret));
    return [
      slug,
      {
        credential: credentials.find((value) => value !== undefined),
        baseUrl: optional(baseUrlVariable(slug), httpUrl),
        timeoutMs: optional(timeoutName(slug), timeout),
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** The name of every setting. */
export const settingNames = (): readonly string[] => [
  ...Object.values(SETTINGS).map(({ name }) => name),
  ...LATER,
  WORKERS,
  ...providerNames().flatMap(([slug, credentialVariables]) => [
    ...credentialVariables,
    baseUrlVariable(slug),
    timeoutName(slug),
  ]),
];

/** Every provider with the variables of its key. One that both searches and fetches has one set of settings. */
function providerNames(): readonly (readonly [slug: string, variables: readonly string[]])[] {
  const fetching = FETCH_PROVIDERS.map(
    (provider) =>
      [provider.slug, provider.kind === 'vendor' ? provider.credentialVariables : []] as const,
  );
  const searching = SEARCH_PROVIDERS.map(
    ({ slug, credentialVariables }) => [slug, credentialVariables] as const,
  );
  return [...new Map([...fetching, ...searching])];
}

function checkWorkers(environment: Environment, problems: string[]): void {
  const workers = (environment[WORKERS] ?? '').trim();
  if (workers === '' || workers === '1') return;
  if (!/^[1-9]\d*$/.test(workers)) {
    problems.push('WORKERS must be a whole number from 1');
    return;
  }
  problems.push(
    'WORKERS must be 1: this version runs as one process; start more servers on the same DATABASE_URL instead',
  );
}

/** Names of the settings without which single sign-on cannot work. */
function checkSingleSignOn(environment: Environment, problems: string[]): void {
  const isSet = ({ name }: Setting<unknown>) => (environment[name] ?? '').trim() !== '';
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

/** The process environment over a `.env` file in the working directory, if there is one. */
export function readEnvironment(file = '.env'): Environment {
  return { ...dotEnv(file), ...process.env };
}

function dotEnv(file: string): Environment {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isAbsent) return {};
    throw new ConfigError([
      `${file} cannot be read: ${error instanceof Error ? error.message : error}`,
    ]);
  }
}
