import { availableParallelism } from 'node:os';
import { parseTrustedProxies } from '@trawl/base';
import {
  type FallbackChoice,
  HEALTH_ACTIONS,
  isFallbackMode,
  LIMITS,
  MCP_TOOL_NAMES,
  type McpToolName,
  parsedUrl,
  trimEndOf,
  USUAL_MCP_TOOLS,
} from '@trawl/contract';
import {
  DEFAULT_FETCH_CHAIN,
  DEFAULT_SEARCH_PROVIDERS,
  FETCH_PROVIDERS,
  PRICES,
  SEARCH_PROVIDERS,
  TOPIC_RANKING,
} from '@trawl/providers';
import { parseAllowedHosts, readPageRules } from '@trawl/reader';
import {
  CONTACT_VARIABLE,
  DEFAULT_SET_VARIABLE,
  isEmail,
  KEYLESS_MODES,
  KEYLESS_VARIABLE,
} from '@trawl/router';
import { readTopicWords } from '@trawl/topics';
import { z } from 'zod';
import { isLoopbackName, parseHostNames } from './allowed-hosts.ts';
import { readPrices } from './prices.ts';
import { PROVIDERS_FILE } from './providers-file.ts';
import { readRouting } from './routing-file.ts';
import { readWebRules, WEB_RULES_FILE } from './web-rules-file.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export const LOG_FORMATS = ['json', 'pretty'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** A setting: how its text is read, and its text in the docs. */
export interface Setting<Value> {
  readonly name: string;
  readonly schema: z.ZodType<Value>;
  /** The schema instead, where it depends on the slugs of the search providers. */
  readonly schemaFor?: (slugs: readonly string[]) => z.ZodType<Value>;
  readonly initial: Value;
  readonly shown: string;
  readonly meaning: string;
  /** It may be given as a file instead, by the same name with `_FILE`. */
  readonly isSecret?: true;
}

const setting = <Value>(
  name: string,
  schema: z.ZodType<Value>,
  initial: Value,
  meaning: string,
): Setting<Value> => ({ name, schema, initial, shown: `\`${initial}\``, meaning });

/** A setting that may stay without a value. */
const optional = <Value>(
  name: string,
  schema: z.ZodType<Value>,
  meaning: string,
): Setting<Value | undefined> => ({ name, schema, initial: undefined, shown: 'unset', meaning });

/** A secret that may stay without a value. */
const optionalSecret = <Value>(
  name: string,
  schema: z.ZodType<Value>,
  meaning: string,
): Setting<Value | undefined> => ({ ...optional(name, schema, meaning), isSecret: true });

export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine(
      (value) => value >= min && value <= max,
      `must be a whole number from ${min} to ${max}`,
    );

const names: z.ZodType<readonly string[]> = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
  .refine((list) => list.length > 0, 'must be a comma list with at least one name');

/** Refuses names that are not among the known ones. */
const namesOf = (known: readonly string[], others = ''): typeof names =>
  names.superRefine((list, context) => {
    const wrong = list.filter((name) => !known.includes(name));
    if (wrong.length === 0) return;
    // names of providers are not secret, but a wrong value may be a secret
    const message = `must be ${others}a comma list of ${known.join(', ')}; ${wrong.length} of its names ${wrong.length === 1 ? 'is' : 'are'} none of these`;
    context.addIssue({ code: 'custom', message });
  });

const chainNames = namesOf(
  FETCH_PROVIDERS.filter(({ chain }) => chain === 'default').map(({ slug }) => slug),
);

const OPEN_SOURCES = SEARCH_PROVIDERS.filter(({ open }) => open !== undefined);
const openSourceNames = namesOf(
  OPEN_SOURCES.map(({ slug }) => slug),
  'all or ',
);
const openSources: z.ZodType<readonly string[]> = z.string().transform((text, context) => {
  if (text === 'all') return OPEN_SOURCES.map(({ slug }) => slug);
  const list = openSourceNames.safeParse(text);
  if (list.success) return list.data;
  for (const { message } of list.error.issues) context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const mcpToolNames: z.ZodType<readonly McpToolName[]> = namesOf(MCP_TOOL_NAMES).transform((list) =>
  MCP_TOOL_NAMES.filter((name) => list.includes(name)),
);

const CONTACT_CHARACTERS = 200;
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}$/;

/** It is part of a header, in brackets. */
const contact = z.string().refine((text) => {
  if (!/^[\x21-\x7e]+$/.test(text) || /[()<>"\\]/.test(text)) return false;
  if (text.length > CONTACT_CHARACTERS) return false;
  return isEmail(text) ? EMAIL.test(text) : /^https?:$/.test(parsedUrl(text)?.protocol ?? '');
}, `must be an e-mail address or an http:// or https:// URL, without spaces, brackets or quotes, of at most ${CONTACT_CHARACTERS} characters`);

/** An address of IPv6 may be in brackets, as in a URL. */
const listenHost = z.string().transform((host) => /^\[(.{1,99})\]$/.exec(host)?.[1] ?? host);

const BUILT_IN = SEARCH_PROVIDERS.map(({ slug }) => slug);

const fallbackChoice = (slugs: readonly string[]): z.ZodType<FallbackChoice> =>
  z.string().transform((text, context): FallbackChoice => {
    if (isFallbackMode(text)) return text;
    const list = namesOf(slugs, 'off, auto or ').safeParse(text);
    if (list.success) return list.data;
    for (const { message } of list.error.issues) context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** A text with a function that reads it or reports its problem. */
const readBy = <Value>(
  read: (text: string) => { readonly value: Value } | { readonly problem: string },
): z.ZodType<Value> =>
  z.string().transform((text, context) => {
    const found = read(text);
    if ('value' in found) return found.value;
    context.addIssue({ code: 'custom', message: found.problem });
    return z.NEVER;
  });

const routingFile = (slugs: readonly string[]) => readBy((path) => readRouting(path, slugs));

/** The path of a table of rows. */
const tableBy = <Row>(
  read: (path: string) => { readonly rows: readonly Row[] } | { readonly problem: string },
): z.ZodType<readonly Row[]> =>
  readBy((path) => {
    const found = read(path);
    return 'rows' in found ? { value: found.rows } : found;
  });

export const httpUrl = z
  .string()
  .refine((value) => {
    const url = parsedUrl(value);
    const isPlain = url && url.username === '' && url.search === '' && url.hash === '';
    // a list would be read as one odd name
    const isOne = isPlain && !url.hostname.includes(',');
    return isOne && (url.protocol === 'http:' || url.protocol === 'https:');
  }, 'must be an http:// or https:// URL without user, query or fragment')
  .transform((value) => trimEndOf(value, '/'));

/** Compared letter by letter with what the provider says, so a slash at the end stays. */
const issuerUrl = z.string().refine((value) => {
  const url = parsedUrl(value);
  const isPlain = url && url.username === '' && url.search === '' && url.hash === '';
  if (!isPlain) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackName(url.host));
}, 'must be an https:// URL without user, query or fragment');

/** It may have a query, where some receivers expect their token. */
const webhookUrl = z.string().refine((value) => {
  const url = parsedUrl(value);
  const isPlain = url && url.username === '' && url.password === '' && url.hash === '';
  return isPlain && /^https?:$/.test(url.protocol);
}, 'must be an http:// or https:// URL without user and fragment');

const proxyUrl = z
  .string()
  .refine(
    (value) => /^https?:$/.test(parsedUrl(value)?.protocol ?? ''),
    'must be an http:// or https:// URL',
  );

/**
 * Whether it is an address of Redis: with a host, and at most the number of a database behind it.
 */
function isRedisAddress(value: string): boolean {
  const url = parsedUrl(value);
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '') return false;
  const isPlain = url.search === '' && url.hash === '' && /^\/?\d{0,4}$/.test(url.pathname);
  return isPlain && isDecodable(url.username) && isDecodable(url.password);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const oneOf = <Value extends string>(values: readonly Value[]): z.ZodType<Value> =>
  z.literal([...values], `must be one of ${values.join(', ')}`);

const onOff = oneOf(['on', 'off']);

/** 32 bytes in base64, with or without the filler at the end. */
export const SECRETS_KEY_FORM = /^[A-Za-z0-9+/_-]{43}=?$/;

export const secret = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
  .refine((text) => !/^["'`]|["'`]$/.test(text), 'must be written without quotes');

/**
 * The general settings. The tables of docs/configuration.md are made from this and from the
 * registry.
 */
export const SETTINGS = {
  host: setting('HOST', listenHost, '127.0.0.1', 'address to listen on'),
  port: setting('PORT', integer(0, 65_535), 8080, 'port to listen on; 0 = any free one'),
  publicUrl: optional(
    'PUBLIC_URL',
    httpUrl,
    'address by which clients reach the server, such as `https://trawl.example.com`',
  ),
  allowedHosts: {
    ...optional(
      'ALLOWED_HOSTS',
      readBy(parseHostNames),
      'comma list of the host names by which `/mcp` and `/console` may be reached, on any port; other names in `Host` or `Origin` are refused. See [MCP](mcp.md#host-names)',
    ),
    shown: '`localhost,127.0.0.1,[::1]` and the host of `PUBLIC_URL`',
  },
  mcpTools: {
    ...optional(
      'MCP_TOOLS',
      mcpToolNames,
      `comma list of the tools of \`/mcp\` where its address has no \`?tools=\`, of ${MCP_TOOL_NAMES.map((name) => `\`${name}\``).join(', ')}; in the environment of \`trawl mcp\` those over stdio. See [MCP](mcp.md#other-tools)`,
    ),
    shown: `\`${USUAL_MCP_TOOLS.join(',')}\``,
  },
  mcpLogin: setting(
    'MCP_LOGIN',
    onOff,
    'off',
    '`on`: people log in to `/mcp` with their account of the console; needs `PUBLIC_URL` without a path, with https or on this machine, and the console. `off` ends every login. See [MCP login](mcp-login.md)',
  ),
  trustedProxies: optional(
    'TRUSTED_PROXIES',
    readBy(parseTrustedProxies),
    'comma list of addresses and ranges of the proxies in front, such as `127.0.0.1` or `10.0.0.0/8`: requests from them have the address in `X-Forwarded-For`, for the limits of sign-in and the audit log of the console. Unset = the address of the connection. See [reverse proxy](deployment.md#reverse-proxy)',
  ),
  databaseUrl: optionalSecret(
    'DATABASE_URL',
    z.string().regex(/^postgres(ql)?:\/\/./, 'must be a postgres:// URL'),
    'PostgreSQL database; unset = embedded database under `DATA_DIR`',
  ),
  redisUrl: optionalSecret(
    'REDIS_URL',
    z
      .string()
      .refine(
        isRedisAddress,
        'must be a redis:// or rediss:// URL, such as redis://127.0.0.1:6379 or rediss://USER:PASSWORD@HOST:PORT/0',
      ),
    'Redis or Valkey in which servers on one `DATABASE_URL` share rate limits, circuits, pages and fetches in progress; only what may be lost. Unset = each process separately. See [deployment](deployment.md#redis)',
  ),
  redisPageCacheMaxBytes: setting(
    'REDIS_PAGE_CACHE_MAX_BYTES',
    integer(1_048_576, 1_099_511_627_776),
    268_435_456,
    'most bytes that fetched pages may take in Redis, all projects together; the oldest are dropped first',
  ),
  dataDir: setting('DATA_DIR', z.string(), './data', 'folder of the embedded database'),
  workers: setting(
    'WORKERS',
    integer(1, 256),
    1,
    'processes on one port; more than 1 needs `DATABASE_URL`. Limits "of this process" hold for each. See [deployment](deployment.md#several-processes)',
  ),
  instanceId: optional(
    'INSTANCE_ID',
    z.string().regex(/^[\w.:-]{1,128}$/, 'must be 1 to 128 of A-Z a-z 0-9 . _ : -'),
    "the answers' `instance_id`; unset = a uuid made once and kept in the database",
  ),
  bootstrapApiKey: optionalSecret(
    'BOOTSTRAP_API_KEY',
    z.string().regex(/^\S{16,512}$/, 'must be 16 or more characters without spaces'),
    'at start, makes sure that this key exists with every permission in the project `default`',
  ),
  defaultSearchProviders: {
    ...optional(
      DEFAULT_SET_VARIABLE,
      names,
      'providers of a search that names none; an unknown name is logged and reported as `provider_skipped`. Unset: those of the two that have a key, else the first two configured ones, else where `KEYLESS_SEARCH` allows it tavily, you and wikipedia without a key',
    ),
    shown: `\`${DEFAULT_SEARCH_PROVIDERS.join(',')}\``,
  },
  keylessSearch: setting(
    KEYLESS_VARIABLE,
    oneOf(KEYLESS_MODES),
    'auto',
    'whether services are asked without a key. `auto`: while no search provider is configured and `HOST` is this machine, they run like configured ones; else open sources run where a request names them. `on`: they always do, after configured providers. `off`: never. See [keyless search](keyless.md)',
  ),
  openSources: {
    ...optional(
      'OPEN_SOURCES',
      openSources,
      'comma list of the open sources that exist in this deployment, or `all`. See [open sources](keyless.md#open-sources)',
    ),
    shown: `\`${OPEN_SOURCES.filter(({ open }) => open?.onlyIfNamed === undefined)
      .map(({ slug }) => slug)
      .join(',')}\``,
  },
  contact: optional(
    CONTACT_VARIABLE,
    contact,
    'your e-mail address, or the URL of a page about you, for the `User-Agent` of calls without a key. Some sources are faster with it, and edgar needs an e-mail address',
  ),
  sourcePace: setting(
    'SOURCE_PACE',
    onOff,
    'on',
    '`off`: services without a key are asked as often as searches come, for tests against simulated ones',
  ),
  searchFallback: {
    ...optional(
      'SEARCH_FALLBACK',
      fallbackChoice(BUILT_IN),
      'what runs for a query of which no run succeeded, in searches that do not say so themselves: `off`, `auto` or a comma list of providers. See [fallback](concepts.md#fallback)',
    ),
    schemaFor: fallbackChoice,
    shown: '`off`; `auto` for the tools at `/mcp`',
  },
  fetchChain: {
    ...optional(
      'FETCH_CHAIN',
      chainNames,
      'providers that a fetch without `options.providers` tries, in order; those without a key are skipped',
    ),
    shown: `\`${DEFAULT_FETCH_CHAIN.join(',')}\``,
  },
  maxFetchUrls: setting('MAX_FETCH_URLS', integer(1, 1_000), 20, 'most URLs of one fetch'),
  pageCacheTtlSeconds: setting(
    'PAGE_CACHE_TTL_SECONDS',
    integer(0, 31_536_000),
    86_400,
    'how long a fetched page is kept; 0 = no page cache',
  ),
  healthAction: setting(
    'HEALTH_ACTION',
    oneOf(HEALTH_ACTIONS),
    'none',
    'what is done about a search provider whose answers went bad. `last`: it comes last in the default set, routing and fallback, unless a request names it. See [health of providers](provider-health.md)',
  ),
  searchCacheTtlSeconds: setting(
    'SEARCH_CACHE_TTL_SECONDS',
    integer(0, LIMITS.searchAgeSeconds),
    0,
    'how old a recorded search may be that answers an equal one again, where a request does not say so; 0 = none',
  ),
  fetchAllowPrivateHosts: {
    ...setting(
      'FETCH_ALLOW_PRIVATE_HOSTS',
      readBy(parseAllowedHosts),
      [],
      'comma list of `host` or `host:port` that may be fetched although private',
    ),
    shown: 'empty',
  },
  chainAttemptTimeoutMs: setting(
    'CHAIN_ATTEMPT_TIMEOUT_MS',
    integer(100, 3_600_000),
    25_000,
    'upper bound of one attempt in a chain of several, and of its wait for a free slot; the last one gets what is left, and a provider that collects records always gets its own limit',
  ),
  directProxy: optionalSecret(
    'DIRECT_PROXY',
    proxyUrl,
    "proxy of the service's own reader; names are resolved and checked before it is asked",
  ),
  directRobots: setting(
    'DIRECT_ROBOTS',
    onOff,
    'off',
    "`on`: the service's own reader fetches no page that its site's robots.txt disallows; see [direct](providers/direct.md)",
  ),
  directBrowser: optional(
    'DIRECT_BROWSER',
    z.string(),
    "path of a Chromium that renders pages that only scripts fill, for the service's own reader; see [direct](providers/direct.md)",
  ),
  directBrowserSandbox: setting(
    'DIRECT_BROWSER_SANDBOX',
    onOff,
    'on',
    '`off` starts that Chromium without its own sandbox, which it cannot have as root or in a container without user namespaces',
  ),
  pageReadTimeoutMs: setting(
    'PAGE_READ_TIMEOUT_MS',
    integer(100, 600_000),
    5_000,
    'upper bound of reading one page, from when a thread takes it; a page that takes longer is a failed row, `timeout`',
  ),
  pageReadThreads: {
    ...setting(
      'PAGE_READ_THREADS',
      integer(1, 64),
      Math.min(4, availableParallelism() + 1),
      'threads that read pages and check the text of fetch providers; one API key has at most all but one of them, unless it is the only one',
    ),
    shown: 'one more than there are CPU cores, at most 4',
  },
  pageRules: {
    ...setting(
      'PAGE_RULES_FILE',
      tableBy(readPageRules),
      [],
      'table of texts by which a page is recognized as a wall, a "not found" page and so on, in addition to the built-in ones; see [operations](operations.md#your-own-page-rules)',
    ),
    shown: 'unset',
  },
  requestDeadlineMs: setting(
    'REQUEST_DEADLINE_MS',
    integer(100, 3_600_000),
    120_000,
    'upper bound of a whole request; a run that is not done by then has failed, the others are returned',
  ),
  maxActiveRequests: setting(
    'MAX_ACTIVE_REQUESTS',
    integer(1, 100_000),
    256,
    'most requests in progress at once in this process; further ones are answered 503. See [deployment](deployment.md#limits)',
  ),
  maxConnections: setting(
    'MAX_CONNECTIONS',
    integer(1, 1_000_000),
    2_048,
    'most open connections of this process; further ones are closed at once',
  ),
  maxUnsentBytes: setting(
    'MAX_UNSENT_BYTES',
    integer(1_048_576, 68_719_476_736),
    67_108_864,
    'most bytes of answers that wait for clients to read them, all together; beyond it the slowest clients are disconnected',
  ),
  breaker: setting('BREAKER', onOff, 'on', '`off` switches provider cool-downs off'),
  httpsProxy: optionalSecret('HTTPS_PROXY', proxyUrl, 'proxy for https calls to providers'),
  noProxy: optional('NO_PROXY', z.string(), 'hosts that bypass the proxy'),
  prices: {
    ...setting(
      'PRICES_FILE',
      readBy(readPrices),
      PRICES,
      'JSON file whose rates replace those of the built-in price list, item by item; see [billing](billing.md)',
    ),
    shown: 'unset',
  },
  providersFile: optional(
    PROVIDERS_FILE,
    z.string(),
    'YAML or JSON file that declares search providers of your own. See [your own providers](own-providers.md)',
  ),
  webRulesFile: optional(
    WEB_RULES_FILE,
    readBy(readWebRules),
    'YAML or JSON file of hosts and secrets that no request may touch; read again when it changes. See [web rules](web-rules.md)',
  ),
  ranking: {
    ...setting(
      'ROUTING_FILE',
      routingFile(BUILT_IN),
      TOPIC_RANKING,
      'JSON file whose order of providers replaces the built-in ranking in the topics that it names; see [routing](routing.md)',
    ),
    schemaFor: routingFile,
    shown: 'unset',
  },
  topicWords: {
    ...setting(
      'TOPIC_WORDS_FILE',
      tableBy(readTopicWords),
      [],
      'table whose words the embedded classifier knows in addition to its own; see [routing](routing.md#your-own-words)',
    ),
    shown: 'unset',
  },
  topicEmbeddingsUrl: optional(
    'TOPIC_EMBEDDINGS_URL',
    httpUrl,
    'OpenAI-compatible embeddings endpoint that finds the topics of queries instead of the embedded classifier; `/v1/embeddings` is added unless it ends in `/embeddings`',
  ),
  topicEmbeddingsModel: setting(
    'TOPIC_EMBEDDINGS_MODEL',
    z.string(),
    'text-embedding-3-small',
    'model to ask the embeddings endpoint for',
  ),
  topicEmbeddingsApiKey: optionalSecret(
    'TOPIC_EMBEDDINGS_API_KEY',
    secret,
    'key of the embeddings endpoint, sent as bearer token; unset = none is sent',
  ),
  console: setting('CONSOLE', onOff, 'on', '`off`: nothing is served under `/console`'),
  consoleSecret: {
    ...optionalSecret(
      'CONSOLE_SECRET',
      z
        .string()
        .regex(
          /^[\x21-\x7e]{32,512}$/,
          'must be 32 to 512 printable ASCII characters without spaces',
        ),
      'signs the cookies of the console; a new one ends all sessions',
    ),
    shown: 'made once and kept in the database',
  },
  secretsKey: {
    ...optionalSecret(
      'SECRETS_KEY',
      z
        .string()
        .regex(SECRETS_KEY_FORM, 'must be 32 bytes in base64, as "openssl rand -base64 32" prints'),
      'seals the keys of providers that are set in the console; the same on all servers of a database. On PostgreSQL no key can be set there without it. See [security](security.md#keys-of-providers-in-the-console)',
    ),
    shown: 'made once under `DATA_DIR` for the embedded database',
  },
  consoleOidcIssuer: optional(
    'CONSOLE_OIDC_ISSUER',
    issuerUrl,
    'identity provider (OpenID Connect) by which people sign in to the console, as it names itself; needs `PUBLIC_URL`',
  ),
  consoleOidcClientId: optional('CONSOLE_OIDC_CLIENT_ID', secret, 'name of this server there'),
  consoleOidcClientSecret: optionalSecret(
    'CONSOLE_OIDC_CLIENT_SECRET',
    secret,
    'secret of this server there',
  ),
  consoleOidcLabel: setting(
    'CONSOLE_OIDC_LABEL',
    z.string().max(60, 'must be at most 60 characters'),
    'single sign-on',
    'what the sign-in page calls it: "Continue with …"',
  ),
  consoleOidcOnly: setting(
    'CONSOLE_OIDC_ONLY',
    onOff,
    'off',
    '`on`: people sign in with it only, not with a password',
  ),
  consoleOidcDomains: optional(
    'CONSOLE_OIDC_DOMAINS',
    readBy(parseHostNames),
    'comma list of e-mail domains whose people need no invitation to sign in with it; until they are members they see no project',
  ),
  compatSearxngKey: optionalSecret(
    'COMPAT_SEARXNG_KEY',
    secret,
    'API key of trawl that serves the calls to `/compat/searxng` which come without a key; unset = they are answered 401. See [coming from SearXNG](coming-from-searxng.md)',
  ),
  metrics: setting(
    'METRICS',
    onOff,
    'on',
    '`off`: nothing is measured, and `/metrics` is not served',
  ),
  metricsToken: optionalSecret(
    'METRICS_TOKEN',
    z
      .string()
      .regex(
        /^[\x21-\x7e]{16,512}$/,
        'must be 16 or more printable ASCII characters without spaces',
      ),
    'bearer token with which other machines may read `/metrics`, instead of an API key with `manage`. See [operations](operations.md#metrics)',
  ),
  alertWebhookUrl: optionalSecret(
    'ALERT_WEBHOOK_URL',
    webhookUrl,
    'address that gets alerts as JSON by POST; it may be private. Needs `ALERT_WEBHOOK_SECRET`. Unset = none are sent. See [operations](operations.md#alerts-by-webhook)',
  ),
  alertWebhookSecret: optionalSecret(
    'ALERT_WEBHOOK_SECRET',
    z
      .string()
      .regex(
        /^[\x21-\x7e]{16,512}$/,
        'must be 16 to 512 printable ASCII characters without spaces',
      ),
    'signs the alerts, see [operations](operations.md#check-the-signature)',
  ),
  retentionDays: optional(
    'RETENTION_DAYS',
    integer(1, LIMITS.retentionDays),
    'age in days at which interactions and pages are deleted; the ledger stays. Unset = they are kept. A project may have its own value: see [retention](operations.md#retention)',
  ),
  otelEndpoint: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    httpUrl,
    'collector that gets traces as OTLP over HTTP, such as `http://localhost:4318`; unset = nothing is traced. See [operations](operations.md#traces)',
  ),
  logLevel: setting('LOG_LEVEL', oneOf(LOG_LEVELS), 'info', `one of ${LOG_LEVELS.join(', ')}`),
  logFormat: {
    ...optional(
      'LOG_FORMAT',
      oneOf(LOG_FORMATS),
      '`json`: one JSON object a line; `pretty`: lines for people',
    ),
    shown: '`pretty` on a terminal, otherwise `json`',
  },
} as const;
