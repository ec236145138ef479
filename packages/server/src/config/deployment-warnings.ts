import { didYouMean, nearest } from '@trawl/base';
import { FETCH_PROVIDERS, SEARCH_PROVIDERS } from '@trawl/providers';
import {
  baseUrlVariable,
  type Deployment,
  isCandidate,
  isUsable,
  whyUnusable,
} from '@trawl/router';
import { allowedHostNames, isLoopbackName } from './allowed-hosts.ts';
import type { Config } from './config.ts';
import { type Environment, isGiven } from './given.ts';
import { loginProblems } from './login-place.ts';
import { keysVariable } from './names.ts';
import { SETTINGS } from './settings.ts';

/**
 * Settings with which no search can run, one sentence each; the server still starts, for fetches
 * and records.
 */
export function deploymentProblems(deployment: Deployment): readonly string[] {
  const { defaultSet, unknownDefaults, searchProviders } = deployment;
  if (![...searchProviders.values()].some(isCandidate)) {
    const named = [...searchProviders.values()].some(isUsable);
    return [
      `no search provider is configured, so every search fails${named ? ' that names none' : ''}: set the key of one, such as ${keysOfDefaults(deployment)}, or ${SETTINGS.keylessSearch.name}=on to ask services without a key. Fetches work without`,
    ];
  }
  if (defaultSet.length > 0 || unknownDefaults.length === 0) return [];
  const { name } = SETTINGS.defaultSearchProviders;
  return [
    `${name} names no known provider: a search that names none itself is refused. Known: ${[...searchProviders.keys()].join(', ')}`,
  ];
}

/** Problems that an operator would otherwise notice from failed runs, one sentence each. */
export function deploymentWarnings(config: Config, deployment: Deployment): readonly string[] {
  const isAny = [...deployment.searchProviders.values()].some(isCandidate);
  // without any provider one sentence is enough
  const unset = (isAny ? deployment.defaultSet : []).flatMap((slug) => {
    const provider = deployment.searchProviders.get(slug);
    return provider && !isUsable(provider)
      ? `${slug} runs by default but ${whyUnusable(provider)}: its runs will fail with missing_credential`
      : [];
  });
  return [
    ...deployment.unknownDefaults.map((name) => {
      const meant = didYouMean(nearest(name, deployment.searchProviders.keys()));
      const about = `${SETTINGS.defaultSearchProviders.name} names ${name}, which is not a known provider`;
      return `${about}; ${meant ?? 'it is left out'}`;
    }),
    ...keylessServices(config, deployment),
    ...keylessDefaults(deployment),
    ...unset,
    ...keylessFallback(deployment),
    ...unnamedHost(config),
    ...unnamedProxy(config),
    ...unsharedWorkers(config),
    ...loginProblems(config),
  ];
}

/**
 * What an operator may not expect of good settings, one sentence each: keys that were set for
 * fetches, perhaps, pay for searches too.
 */
export function deploymentNotes({ searchProviders }: Deployment): readonly string[] {
  const variables = [...searchProviders.values()].flatMap(({ declaration, isConfigured }) =>
    isConfigured && declaration.usesFetchKey ? (declaration.credentialVariables[0] ?? []) : [],
  );
  if (variables.length === 0) return [];
  return [
    `${variables.join(', ')} ${variables.length === 1 ? 'is' : 'are'} used for searches too, after the other providers with a key: ${SETTINGS.defaultSearchProviders.name} and exclude change that`,
  ];
}

/**
 * Names the outside services that get queries although no one has set them up, and what they lack.
 */
function keylessServices(config: Config, { searchProviders }: Deployment): readonly string[] {
  const keyless = [...searchProviders.values()].filter(
    (provider) => !provider.isConfigured && isCandidate(provider),
  );
  if (keyless.length === 0) return [];
  const slugs = keyless.map(({ declaration }) => declaration.slug).join(', ');
  const { keylessSearch, contact } = SETTINGS;
  const isAlways = config.keylessSearch === 'on';
  const why = isAlways ? '' : ' while no search provider is configured';
  const end = `${isAlways ? '' : 'A key of any provider changes that, '}${keylessSearch.name}=off ends it`;
  const slower = keyless
    .filter(({ keyless: offer }) => offer?.remark !== undefined)
    .map(({ declaration }) => declaration.slug);
  return [
    `queries go to outside services without a key${why}: ${slugs}. ${end}`,
    ...(slower.length > 0
      ? [
          `${slower.join(', ')} run at a slower pace until ${contact.name} is set to your e-mail address`,
        ]
      : []),
  ];
}

/** Says what several processes do not share. */
function unsharedWorkers({ workers, redisUrl }: Config): readonly string[] {
  if (workers === 1 || redisUrl !== undefined) return [];
  return [
    `${SETTINGS.workers.name} is ${workers} without ${SETTINGS.redisUrl.name}: rate limits, circuits, the pace of services without a key, the page cache and shared fetches are per process`,
  ];
}

/** Warns of providers that would be asked when others fail, and would fail too. */
function keylessFallback({ searchFallback, searchProviders }: Deployment): readonly string[] {
  if (typeof searchFallback === 'string') return [];
  return searchFallback.flatMap((slug) => {
    const provider = searchProviders.get(slug);
    return provider && !isUsable(provider)
      ? `${SETTINGS.searchFallback.name} names ${slug}, but ${whyUnusable(provider)}: its runs will fail with missing_credential`
      : [];
  });
}

/**
 * Warns if the server listens to other machines but accepts no name that they could use for `/mcp`.
 */
function unnamedHost(config: Config): readonly string[] {
  const isLocal = isLoopbackName(config.host.includes(':') ? `[${config.host}]` : config.host);
  if (isLocal || allowedHostNames(config).some((name) => !isLoopbackName(name))) return [];
  return [
    `${SETTINGS.host.name} lets other machines in, but /mcp answers only to ${allowedHostNames(config).join(', ')}: set ${SETTINGS.publicUrl.name}, or list the server's names in ${SETTINGS.allowedHosts.name}`,
  ];
}

/**
 * Warns if the console cannot know who its callers are: this server speaks plain HTTP, so TLS is
 * that of a proxy.
 */
function unnamedProxy(config: Config): readonly string[] {
  const isProxied = config.publicUrl?.startsWith('https:') ?? false;
  if (!isProxied || config.console === 'off' || config.trustedProxies) return [];
  return [
    `${SETTINGS.publicUrl.name} is https, so a proxy is in front of this server, but ${SETTINGS.trustedProxies.name} does not name it: for the console's limits and its audit log all people have the address of the proxy`,
  ];
}

/** Warns if no default provider can succeed. */
function keylessDefaults(deployment: Deployment): readonly string[] {
  const { defaultSet, searchProviders } = deployment;
  const defaults = defaultSet.flatMap((slug) => searchProviders.get(slug) ?? []);
  const isAny = [...searchProviders.values()].some(isCandidate);
  const isFine = defaults.length === 0 || defaults.some(isUsable);
  if (isFine || !isAny) return [];
  const settings = keysOfDefaults(deployment);
  const [first] = defaults;
  const what = 'a search that leaves the choice of providers to the server fails';
  if (settings !== '' || !first) return [`${what} until ${settings} is set`];
  return [`${what}: of ${first.declaration.slug}, ${whyUnusable(first)}`];
}

/** Of the default set; of all providers where that is empty. */
function keysOfDefaults({ defaultSet, searchProviders }: Deployment): string {
  const slugs = defaultSet.length > 0 ? defaultSet : [...searchProviders.keys()];
  const names = slugs.flatMap((slug) => searchProviders.get(slug)?.target.credentialVariable ?? []);
  return [...new Set(names)].join(' or ');
}

/** Settings without an effect because of the others, one sentence each. */
export function idleSettings(environment: Environment): readonly string[] {
  const isSet = (name: string) => isGiven(environment, name);
  const { databaseUrl, dataDir, topicEmbeddingsUrl, directBrowser, directBrowserSandbox } =
    SETTINGS;
  const { topicEmbeddingsModel, topicEmbeddingsApiKey, topicWords } = SETTINGS;
  const { redisUrl, redisPageCacheMaxBytes } = SETTINGS;
  const idle: readonly (readonly [name: string, isIdle: boolean, reason: string])[] = [
    [dataDir.name, isSet(databaseUrl.name), `${databaseUrl.name} names another database`],
    ...[topicEmbeddingsModel.name, topicEmbeddingsApiKey.name].map(
      (name) =>
        [name, !isSet(topicEmbeddingsUrl.name), `${topicEmbeddingsUrl.name} is not set`] as const,
    ),
    [redisPageCacheMaxBytes.name, !isSet(redisUrl.name), `${redisUrl.name} is not set`],
    [topicWords.name, isSet(topicEmbeddingsUrl.name), `${topicEmbeddingsUrl.name} is set`],
    [directBrowserSandbox.name, !isSet(directBrowser.name), `${directBrowser.name} is not set`],
    ...singleSignOnSettings(isSet),
    ...providerSettings(),
  ];
  return idle
    .filter(([name, isIdle]) => isIdle && isSet(name))
    .map(([name, , reason]) => `${name} is set, but changes nothing: ${reason}`);
}

function singleSignOnSettings(
  isSet: (name: string) => boolean,
): readonly (readonly [name: string, isIdle: boolean, reason: string])[] {
  const { consoleOidcIssuer: issuer, consoleOidcClientId: id } = SETTINGS;
  const { consoleOidcClientSecret, consoleOidcLabel, consoleOidcDomains } = SETTINGS;
  return [id, consoleOidcClientSecret, consoleOidcLabel, consoleOidcDomains].map(({ name }) => [
    name,
    !isSet(issuer.name),
    `${issuer.name} is not set`,
  ]);
}

/** Names that are reported as unused when they are set. */
export const idleNames = (): readonly string[] => providerSettings().map(([name]) => name);

/** Settings with the name of a provider that it does not have. */
function providerSettings(): readonly (readonly [string, boolean, string])[] {
  const keys = [...SEARCH_PROVIDERS, ...FETCH_PROVIDERS].flatMap((provider) => {
    const variables = 'authentication' in provider ? provider.credentialVariables : [];
    const reason =
      variables.length === 0
        ? `${provider.slug} takes no key`
        : `its key is ${variables.join(' or ')}`;
    const name = `${provider.slug.toUpperCase()}_API_KEY`;
    return [
      [name, !variables.includes(name), reason],
      [keysVariable(provider.slug), variables.length === 0, reason],
    ] as const;
  });
  const addresses = FETCH_PROVIDERS.filter(({ kind }) => kind === 'own').map(
    ({ slug }) => [baseUrlVariable(slug), true, `${slug} asks the pages themselves`] as const,
  );
  return [...new Map([...keys, ...addresses].map((entry) => [entry[0], entry])).values()];
}
