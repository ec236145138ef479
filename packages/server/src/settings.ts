import { DEFAULT_SEARCH_PROVIDERS } from '@trawl/providers';
import { z } from 'zod';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A setting: how its text is read, and what the docs say of it. */
export interface Setting<Value> {
  readonly name: string;
  readonly schema: z.ZodType<Value>;
  readonly initial: Value;
  readonly shown: string;
  readonly meaning: string;
}

const setting = <Value>(
  name: string,
  schema: z.ZodType<Value>,
  initial: Value,
  meaning: string,
  shown = initial === undefined ? 'unset' : `\`${initial}\``,
): Setting<Value> => ({ name, schema, initial, shown, meaning });

export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine(
      (value) => value >= min && value <= max,
      `must be a whole number from ${min} to ${max}`,
    );

const names = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
  .refine((list) => list.length > 0, 'must be a comma list with at least one name');

export const httpUrl = z
  .string()
  .refine((value) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    const isPlain = url && url.username === '' && url.search === '' && url.hash === '';
    return isPlain && (url.protocol === 'http:' || url.protocol === 'https:');
  }, 'must be an http:// or https:// URL without user, query or fragment')
  .transform((value) => value.replace(/\/+$/, ''));

const proxyUrl = z
  .string()
  .refine(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    'must be an http:// or https:// URL',
  );

const oneOf = <Value extends string>(values: readonly Value[]): z.ZodType<Value> =>
  z.literal([...values], `must be one of ${values.join(', ')}`);

export const unset = <Value>(schema: z.ZodType<Value>): z.ZodType<Value | undefined> => schema;

/** The general settings. The tables of docs/configuration.md are made from this and from the registry. */
export const SETTINGS = {
  host: setting('HOST', z.string(), '127.0.0.1', 'address to listen on'),
  port: setting('PORT', integer(0, 65_535), 8080, 'port to listen on; 0 = any free one'),
  databaseUrl: setting(
    'DATABASE_URL',
    unset(z.string().regex(/^postgres(ql)?:\/\/./, 'must be a postgres:// URL')),
    undefined,
    'PostgreSQL database; unset = embedded database under `DATA_DIR`',
  ),
  dataDir: setting('DATA_DIR', z.string(), './data', 'folder of the embedded database'),
  instanceId: setting(
    'INSTANCE_ID',
    unset(z.string().regex(/^[\w.:-]{1,128}$/, 'must be 1 to 128 of A-Z a-z 0-9 . _ : -')),
    undefined,
    "the answers' `instance_id`; unset = a uuid made once and kept in the database",
  ),
  bootstrapApiKey: setting(
    'BOOTSTRAP_API_KEY',
    unset(z.string().regex(/^\S{16,512}$/, 'must be 16 or more characters without spaces')),
    undefined,
    'at start, makes sure that this key exists with every permission in the project `default`',
  ),
  defaultSearchProviders: setting(
    'DEFAULT_SEARCH_PROVIDERS',
    unset<readonly string[]>(names),
    undefined,
    'providers of a search that names none; an unknown name is logged and reported as `provider_skipped`. Unset and none of them has a key: the first two configured ones',
    `\`${DEFAULT_SEARCH_PROVIDERS.join(',')}\``,
  ),
  requestDeadlineMs: setting(
    'REQUEST_DEADLINE_MS',
    integer(100, 3_600_000),
    120_000,
    'upper bound of a whole request; what is not back by then is a failed run, the rest is returned',
  ),
  breaker: setting<'on' | 'off'>(
    'BREAKER',
    oneOf(['on', 'off']),
    'on',
    '`off` switches provider cool-downs off',
  ),
  httpsProxy: setting(
    'HTTPS_PROXY',
    unset(proxyUrl),
    undefined,
    'proxy for https calls to providers',
  ),
  noProxy: setting('NO_PROXY', unset(z.string()), undefined, 'hosts that bypass the proxy'),
  logLevel: setting<LogLevel>(
    'LOG_LEVEL',
    oneOf(LOG_LEVELS),
    'info',
    `one of ${LOG_LEVELS.join(', ')}`,
  ),
} as const;

/** Settings of the contract that later versions read. Set today, they change nothing, and the log says so. */
export const LATER = [
  'REDIS_URL',
  'FETCH_CHAIN',
  'MAX_FETCH_URLS',
  'PAGE_CACHE_TTL_SECONDS',
  'FETCH_ALLOW_PRIVATE_HOSTS',
  'DIRECT_PROXY',
  'DIRECT_BROWSER',
  'DIRECT_ROBOTS',
  'CHAIN_ATTEMPT_TIMEOUT_MS',
  'TOPIC_EMBEDDINGS_URL',
  'TOPIC_EMBEDDINGS_MODEL',
  'TOPIC_EMBEDDINGS_API_KEY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'RETENTION_DAYS',
  'PRICES_FILE',
  'ROUTING_FILE',
];
