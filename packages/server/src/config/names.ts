import { FETCH_PROVIDERS, SEARCH_PROVIDERS } from '@trawl/providers';
import { baseUrlVariable } from '@trawl/router';
import { SETTINGS } from './settings.ts';

export const timeoutVariable = (slug: string): string => `${slug.toUpperCase()}_TIMEOUT_MS`;

/** The setting that names the file with a secret. */
export const fileVariable = (name: string): string => `${name}_FILE`;

/** The setting that holds several keys of a provider, separated by commas. */
export const keysVariable = (slug: string): string => `${slug.toUpperCase()}_API_KEYS`;

/**
 * Every provider with the variables of its key. One that both searches and fetches has one set of
 * settings.
 */
export function providerVariables(): readonly (readonly [
  slug: string,
  variables: readonly string[],
])[] {
  const fetching = FETCH_PROVIDERS.map(
    (provider) =>
      [provider.slug, provider.kind === 'vendor' ? provider.credentialVariables : []] as const,
  );
  const searching = SEARCH_PROVIDERS.map(
    ({ slug, credentialVariables }) => [slug, credentialVariables] as const,
  );
  return [...new Map([...fetching, ...searching])];
}

/** All settings that hold keys of a provider; none for one that takes no key. */
export const keyVariables = (slug: string, variables: readonly string[]): readonly string[] =>
  variables.length === 0 ? [] : [...variables, keysVariable(slug)];

/** The settings of a provider's search in addition to those that all have, by slug. */
export const searchVariables = (
  slug: string,
): { readonly baseUrl?: string | undefined; readonly account?: string | undefined } => {
  const search = SEARCH_PROVIDERS.find((provider) => provider.slug === slug);
  return { baseUrl: search?.baseUrlVariable, account: search?.accountSetting?.variable };
};

/** Whether the operator runs it, so that there may be several addresses of it. */
export const isSelfHosted = (slug: string): boolean =>
  SEARCH_PROVIDERS.find((provider) => provider.slug === slug)?.baseUrl === null;

/** Settings that hold a secret. Each may be given as a file instead, see `fileVariable`. */
export const secretNames = (): readonly string[] => [
  ...Object.values(SETTINGS).flatMap((setting) =>
    'isSecret' in setting && setting.isSecret ? setting.name : [],
  ),
  ...providerVariables().flatMap(([slug, variables]) => keyVariables(slug, variables)),
];

/** The name of every setting. */
export const settingNames = (): readonly string[] => [
  ...Object.values(SETTINGS).map(({ name }) => name),
  ...providerVariables().flatMap(([slug, variables]) => [
    ...keyVariables(slug, variables),
    baseUrlVariable(slug),
    timeoutVariable(slug),
    ...Object.values(searchVariables(slug)).flatMap((name) => name ?? []),
  ]),
  ...secretNames().map(fileVariable),
];
