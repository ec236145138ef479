import { baseUrlVariable, type ProviderSettings } from '@trawl/router';
import { z } from 'zod';
import { type Environment, fileOf, type ReadSetting, settingReader } from './given.ts';
import { providerVariables, searchVariables, timeoutVariable } from './names.ts';
import { httpUrl, integer, secret } from './settings.ts';

const timeout = integer(1, 3_600_000);
const account = z.string().regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 of A-Z a-z 0-9 . _ -');

/** The settings of every provider, by slug. */
export function readProviders(read: ReadSetting): Readonly<Record<string, ProviderSettings>> {
  const entries = providerVariables().map(([slug, variables]): [string, ProviderSettings] => {
    const search = searchVariables(slug);
    return [
      slug,
      {
        credential: credentialOf(read, variables),
        baseUrl: read<string | undefined>(baseUrlVariable(slug), httpUrl, undefined),
        timeoutMs: read<number | undefined>(timeoutVariable(slug), timeout, undefined),
        searchBaseUrl:
          search.baseUrl && read<string | undefined>(search.baseUrl, httpUrl, undefined),
        account: search.account && read<string | undefined>(search.account, account, undefined),
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** The first of its variables that is set. All are read, so that each wrong one is reported. */
const credentialOf = (read: ReadSetting, variables: readonly string[]): string | undefined =>
  variables
    .map((name) => read<string | undefined>(name, secret, undefined))
    .find((value) => value !== undefined);

/** The keys of providers as the settings give them now. */
export interface ProviderKeys {
  /** By slug; undefined = not set. A provider whose key cannot be read is missing. */
  readonly keys: ReadonlyMap<string, string | undefined>;
  /** Files that keys were read from. */
  readonly files: readonly string[];
  readonly problems: readonly string[];
}

export function readProviderKeys(environment: Environment): ProviderKeys {
  const keys = new Map<string, string | undefined>();
  const problems: string[] = [];
  for (const [slug, variables] of providerVariables()) {
    const own: string[] = [];
    const key = credentialOf(settingReader(environment, own), variables);
    if (own.length === 0) keys.set(slug, key);
    problems.push(...own);
  }
  const files = providerVariables().flatMap(([, variables]) =>
    variables.map((name) => fileOf(environment, name)).filter((path) => path !== ''),
  );
  return { keys, files, problems };
}
