import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import {
  FETCH_PROVIDERS,
  type Prices,
  SEARCH_PROVIDERS,
  type TopicRankingTable,
} from '@trawl/providers';
import type { AllowedHosts, PageRule } from '@trawl/reader';
import { baseUrlVariable, type ProviderSettings } from '@trawl/router';
import type { TopicWords } from '@trawl/topics';
import { z } from 'zod';
import {
  httpUrl,
  integer,
  LATER,
  type LogFormat,
  type LogLevel,
  SETTINGS,
  type Setting,
  unset,
} from './settings.ts';

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | undefined;
  /** Host names as URLs write them; undefined = not set. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  readonly instanceId: string | undefined;
  readonly bootstrapApiKey: string | undefined;
  /** As the operator wrote them; undefined = not set. */
  readonly defaultSearchProviders: readonly string[] | undefined;
  readonly fetchChain: readonly string[] | undefined;
  readonly maxFetchUrls: number;
  readonly pageCacheTtlSeconds: number;
  readonly fetchAllowPrivateHosts: AllowedHosts;
  readonly chainAttemptTimeoutMs: number;
  readonly directProxy: string | undefined;
  readonly directRobots: 'on' | 'off';
  readonly directBrowser: string | undefined;
  readonly directBrowserSandbox: 'on' | 'off';
  readonly pageReadTimeoutMs: number;
  readonly pageReadThreads: number;
  /** The operator's own, in addition to the built-in ones. */
  readonly pageRules: readonly PageRule[];
  readonly requestDeadlineMs: number;
  /** Of this process. */
  readonly maxActiveRequests: number;
  readonly maxConnections: number;
  readonly maxUnsentBytes: number;
  readonly breaker: 'on' | 'off';
  readonly httpsProxy: string | undefined;
  readonly noProxy: string | undefined;
  /** The built-in list, with the operator's own rates. */
  readonly prices: Prices;
  /** The built-in ranking, with the operator's own order of some topics. */
  readonly ranking: TopicRankingTable;
  /** The operator's own rows of the lexicon. */
  readonly topicWords: readonly TopicWords[];
  readonly topicEmbeddings: TopicEmbeddingsConfig;
  readonly logLevel: LogLevel;
  /** undefined = by where the log goes. */
  readonly logFormat: LogFormat | undefined;
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** Settings that are set but that this version does not use yet; logged at start. */
  readonly unused: readonly string[];
}

/** The endpoint that the operator set for topics. */
export interface TopicEmbeddingsConfig {
  /** undefined = the embedded classifier decides. */
  readonly url: string | undefined;
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** A start that cannot be: one line per wrong setting. Values are never repeated, they may be secrets. */
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
  const read = <Value>(name: string, schema: z.ZodType<Value>, initial: Value): Value => {
    const value = environment[name];
    if (value === undefined || value.trim() === '') return initial;
    const parsed = schema.safeParse(value.trim());
    if (parsed.success) return parsed.data;
    problems.push(`${name} ${parsed.error.issues[0]?.message ?? 'is wrong'}`);
    return initial;
  };
  const general = <Value>(of: Setting<Value>): Value => read(of.name, of.schema, of.initial);
  const config: Config = {
    host: general(SETTINGS.host),
    port: general(SETTINGS.port),
    publicUrl: general(SETTINGS.publicUrl),
    allowedHosts: general(SETTINGS.allowedHosts),
    databaseUrl: general(SETTINGS.databaseUrl),
    dataDir: general(SETTINGS.dataDir),
    instanceId: general(SETTINGS.instanceId),
    bootstrapApiKey: general(SETTINGS.bootstrapApiKey),
    defaultSearchProviders: general(SETTINGS.defaultSearchProviders),
    fetchChain: general(SETTINGS.fetchChain),
    maxFetchUrls: general(SETTINGS.maxFetchUrls),
    pageCacheTtlSeconds: general(SETTINGS.pageCacheTtlSeconds),
    fetchAllowPrivateHosts: general(SETTINGS.fetchAllowPrivateHosts),
    chainAttemptTimeoutMs: general(SETTINGS.chainAttemptTimeoutMs),
    directProxy: general(SETTINGS.directProxy),
    directRobots: general(SETTINGS.directRobots),
    directBrowser: general(SETTINGS.directBrowser),
    directBrowserSandbox: general(SETTINGS.directBrowserSandbox),
    pageReadTimeoutMs: general(SETTINGS.pageReadTimeoutMs),
    pageReadThreads: general(SETTINGS.pageReadThreads),
    pageRules: general(SETTINGS.pageRules),
    requestDeadlineMs: general(SETTINGS.requestDeadlineMs),
    maxActiveRequests: general(SETTINGS.maxActiveRequests),
    maxConnections: general(SETTINGS.maxConnections),
    maxUnsentBytes: general(SETTINGS.maxUnsentBytes),
    breaker: general(SETTINGS.breaker),
    httpsProxy: general(SETTINGS.httpsProxy),
    noProxy: general(SETTINGS.noProxy),
    prices: general(SETTINGS.prices),
    ranking: general(SETTINGS.ranking),
    topicWords: general(SETTINGS.topicWords),
    topicEmbeddings: {
      url: general(SETTINGS.topicEmbeddingsUrl),
      model: general(SETTINGS.topicEmbeddingsModel),
      apiKey: general(SETTINGS.topicEmbeddingsApiKey),
    },
    logLevel: general(SETTINGS.logLevel),
    logFormat: general(SETTINGS.logFormat),
    providers: Object.fromEntries(
      providerNames().map(([slug, credentialVariables]) => [
        slug,
        {
          credential: credentialVariables
            .map((name) =>
              read(
                name,
                unset(z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')),
                undefined,
              ),
            )
            .find((value) => value !== undefined),
          baseUrl: read(baseUrlVariable(slug), unset(httpUrl), undefined),
          timeoutMs: read(timeoutName(slug), unset(timeout), undefined),
        },
      ]),
    ),
    unused: LATER.filter((name) => (environment[name] ?? '').trim() !== ''),
  };
  checkWorkers(environment, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
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
