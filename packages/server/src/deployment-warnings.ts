import { FETCH_PROVIDERS, needsCredential, SEARCH_PROVIDERS } from '@trawl/providers';
import { baseUrlVariable, type Config, type Environment } from './config.ts';
import type { Deployment } from './deployment.ts';
import { SETTINGS } from './settings.ts';

/** What an operator would otherwise find out from failed runs, one sentence each. */
export function deploymentWarnings(config: Config, deployment: Deployment): readonly string[] {
  const unset = deployment.defaultSet.flatMap((slug) => {
    const provider = deployment.searchProviders.get(slug);
    return provider && !provider.isConfigured
      ? `${slug} runs by default but ${provider.target.credentialVariable} is not set: its runs will fail with missing_credential`
      : [];
  });
  return [
    ...config.unused.map((name) => `${name} is set, but this version does not use it yet`),
    ...deployment.unknownDefaults.map(
      (name) =>
        `DEFAULT_SEARCH_PROVIDERS names ${name}, which is no known provider; it is left out`,
    ),
    ...unset,
  ];
}

/** Settings that are set and change nothing beside the others, one sentence each. */
export function idleSettings(environment: Environment): readonly string[] {
  const isSet = (name: string) => (environment[name] ?? '').trim() !== '';
  const { databaseUrl, dataDir, topicEmbeddingsUrl, directBrowser, directBrowserSandbox } =
    SETTINGS;
  const { topicEmbeddingsModel, topicEmbeddingsApiKey } = SETTINGS;
  const idle: readonly (readonly [name: string, isIdle: boolean, reason: string])[] = [
    [dataDir.name, isSet(databaseUrl.name), `${databaseUrl.name} names another database`],
    ...[topicEmbeddingsModel.name, topicEmbeddingsApiKey.name].map(
      (name) =>
        [name, !isSet(topicEmbeddingsUrl.name), `${topicEmbeddingsUrl.name} is not set`] as const,
    ),
    [directBrowserSandbox.name, !isSet(directBrowser.name), `${directBrowser.name} is not set`],
    ...providerSettings(),
  ];
  return idle
    .filter(([name, isIdle]) => isIdle && isSet(name))
    .map(([name, , reason]) => `${name} is set, but changes nothing: ${reason}`);
}

/** Settings in the form of a provider's own that it does not have. */
function providerSettings(): readonly (readonly [string, boolean, string])[] {
  const keys = [...SEARCH_PROVIDERS, ...FETCH_PROVIDERS].map((provider) => {
    const variables = 'authentication' in provider ? provider.credentialVariables : [];
    const keyless = !('authentication' in provider) || !needsCredential(provider.authentication);
    const reason = keyless
      ? `${provider.slug} takes no key`
      : `its key is ${variables.join(' or ')}`;
    const name = `${provider.slug.toUpperCase()}_API_KEY`;
    return [name, !variables.includes(name), reason] as const;
  });
  const addresses = FETCH_PROVIDERS.filter(({ kind }) => kind === 'own').map(
    ({ slug }) => [baseUrlVariable(slug), true, `${slug} asks the pages themselves`] as const,
  );
  return [...new Map([...keys, ...addresses].map((entry) => [entry[0], entry])).values()];
}
