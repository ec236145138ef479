import { baseUrlVariable, type ProviderSettings } from '@trawl/router';
import { z } from 'zod';
import { type Environment, fileOf, type ReadSetting, settingReader } from './given.ts';
import {
  isSelfHosted,
  keysVariable,
  keyVariables,
  providerVariables,
  searchVariables,
  timeoutVariable,
} from './names.ts';
import { httpUrl, integer, secret } from './settings.ts';

const timeout = integer(1, 3_600_000);
const account = z.string().regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 of A-Z a-z 0-9 . _ -');

/** The settings of every provider, by slug. Adds one line for each wrong one to `problems`. */
export function readProviders(
  read: ReadSetting,
  problems: string[],
): Readonly<Record<string, ProviderSettings>> {
  const entries = providerVariables().map(([slug, variables]): [string, ProviderSettings] => {
    const search = searchVariables(slug);
    return [
      slug,
      {
        credentials: credentialsOf(read, slug, variables, problems),
        ...addressesOf(read, slug),
        timeoutMs: read<number | undefined>(timeoutVariable(slug), timeout, undefined),
        searchBaseUrl:
          search.baseUrl && read<string | undefined>(search.baseUrl, httpUrl, undefined),
        account: search.account && read<string | undefined>(search.account, account, undefined),
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** The address of a provider; where the operator runs it, a comma list of several. */
function addressesOf(
  read: ReadSetting,
  slug: string,
): Pick<ProviderSettings, 'baseUrl' | 'otherBaseUrls'> {
  const name = baseUrlVariable(slug);
  if (!isSelfHosted(slug)) return { baseUrl: read<string | undefined>(name, httpUrl, undefined) };
  const [baseUrl, ...otherBaseUrls] = read<readonly string[]>(name, addressList, []);
  return { baseUrl, otherBaseUrls };
}

/** More would make a list of states that no one reads. */
const ENTRIES_MAX = 32;

/** A comma list. A message names the place of a wrong entry, never its text. */
const listOf = (entry: z.ZodType<string>, what: string): z.ZodType<readonly string[]> =>
  z.string().transform((text, context) => {
    const entries: string[] = [];
    const refuse = (problem: string) => {
      context.addIssue({ code: 'custom', message: `must be a comma list of ${what}: ${problem}` });
      return z.NEVER;
    };
    for (const [index, part] of text.split(',').entries()) {
      const place = `entry ${index + 1}`;
      if (part.trim() === '') return refuse(`${place} is empty: remove a comma`);
      const { data, error } = entry.safeParse(part.trim());
      if (data === undefined) return refuse(`${place} ${error?.issues[0]?.message}`);
      const earlier = entries.indexOf(data) + 1;
      if (earlier > 0) return refuse(`${place} repeats entry ${earlier}: remove one of them`);
      if (entries.length === ENTRIES_MAX) return refuse(`it has more than ${ENTRIES_MAX} entries`);
      entries.push(data);
    }
    return entries;
  });

const keyList = listOf(secret, 'keys');
const addressList = listOf(httpUrl, 'addresses');

/**
 * The keys of a provider: the first of its variables that is set, then those of its list. All are
 * read, so that each wrong one is reported.
 */
function credentialsOf(
  read: ReadSetting,
  slug: string,
  variables: readonly string[],
  problems: string[],
): readonly string[] {
  if (variables.length === 0) return [];
  const single = variables
    .map((name) => [name, read<string | undefined>(name, secret, undefined)] as const)
    .find(([, value]) => value !== undefined);
  const list = keysVariable(slug);
  const several = read(list, keyList, []);
  const [name, key] = single ?? [];
  if (name === undefined || key === undefined) return several;
  const repeated = several.indexOf(key);
  if (repeated >= 0) {
    problems.push(`${list} must not repeat a key: entry ${repeated + 1} is that of ${name}`);
  }
  return [key, ...several];
}

/** The keys of providers as the settings give them now. */
export interface ProviderKeys {
  /** By slug; empty = none is set. A provider of which one cannot be read is missing. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
  /** Files that keys were read from. */
  readonly files: readonly string[];
  readonly problems: readonly string[];
}

export function readProviderKeys(environment: Environment): ProviderKeys {
  const keys = new Map<string, readonly string[]>();
  const problems: string[] = [];
  for (const [slug, variables] of providerVariables()) {
    const own: string[] = [];
    const found = credentialsOf(settingReader(environment, own), slug, variables, own);
    if (own.length === 0) keys.set(slug, found);
    problems.push(...own);
  }
  const files = providerVariables().flatMap(([slug, variables]) =>
    keyVariables(slug, variables)
      .map((name) => fileOf(environment, name))
      .filter((path) => path !== ''),
  );
  return { keys, files, problems };
}
