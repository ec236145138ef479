import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { idleSettings } from '../../src/config/deployment-warnings.ts';
import type { Environment } from '../../src/config/given.ts';
import { misspeltSettings } from '../../src/config/misspelt-settings.ts';

const keysOf = (environment: Environment, slug = 'exa') =>
  readConfig(environment).providers[slug]?.credentials;

function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('several keys of a provider', () => {
  it('are a comma list, without the spaces around them', () => {
    expect(keysOf({ EXA_API_KEYS: ' one , two,three ' })).toEqual(['one', 'two', 'three']);
    expect(keysOf({ EXA_API_KEYS: 'only-one' })).toEqual(['only-one']);
    expect(keysOf({ EXA_API_KEYS: '  ' })).toEqual([]);
  });

  it('come after the key of the other variable', () => {
    expect(keysOf({ EXA_API_KEYS: 'two,three', EXA_API_KEY: 'one' })).toEqual([
      ...['one', 'two', 'three'],
    ]);
    const you = { YDC_API_KEY: 'one', YOU_API_KEYS: 'two' };
    expect(keysOf(you, 'you')).toEqual(['one', 'two']);
  });

  it.each([
    ['one,,two', 'entry 2 is empty: remove a comma'],
    ['one,two,', 'entry 3 is empty: remove a comma'],
    ['planted,two,planted', 'entry 3 repeats entry 1: remove one of them'],
    ['one,planted two', 'entry 2 must be printable ASCII without spaces'],
    [
      Array.from({ length: 33 }, (_, place) => `k${place}`).join(','),
      'it has more than 32 entries',
    ],
  ])('%j is refused, with the place of what is wrong', (list, problem) => {
    const problems = problemsOf({ EXA_API_KEYS: list });
    expect(problems).toEqual([`EXA_API_KEYS must be a comma list of keys: ${problem}`]);
    expect(problems.join()).not.toContain('planted');
  });

  it('may not repeat the key of the other variable', () => {
    expect(problemsOf({ EXA_API_KEY: 'one', EXA_API_KEYS: 'two,one' })).toEqual([
      'EXA_API_KEYS must not repeat a key: entry 2 is that of EXA_API_KEY',
    ]);
  });

  it('of a provider that takes none are reported as unused, and a wrong name as that', () => {
    expect(idleSettings({ SEARXNG_API_KEYS: 'one,two' })).toEqual([
      'SEARXNG_API_KEYS is set, but changes nothing: searxng takes no key',
    ]);
    expect(misspeltSettings({ EXA_KEYS: 'one,two', BRAVE_APIKEYS: 'one' })).toEqual([
      'EXA_KEYS is not a setting; did you mean EXA_API_KEYS?',
      'BRAVE_APIKEYS is not a setting; did you mean BRAVE_API_KEYS?',
    ]);
  });
});

describe('several addresses', () => {
  const addressesOf = (value: string) => {
    const { baseUrl, otherBaseUrls } =
      readConfig({ SEARXNG_BASE_URL: value }).providers.searxng ?? {};
    return [baseUrl, ...(otherBaseUrls ?? [])];
  };

  it('of searxng are a comma list', () => {
    expect(addressesOf('http://one:8080/, https://two/search')).toEqual([
      'http://one:8080',
      'https://two/search',
    ]);
    expect(addressesOf('http://one:8080')).toEqual(['http://one:8080']);
  });

  it.each([
    ['http://one,', 'entry 2 is empty: remove a comma'],
    ['http://one,http://one/', 'entry 2 repeats entry 1: remove one of them'],
    [
      'http://one,two',
      'entry 2 must be an http:// or https:// URL without user, query or fragment',
    ],
  ])('%s is refused', (value, problem) => {
    expect(problemsOf({ SEARXNG_BASE_URL: value })).toEqual([
      `SEARXNG_BASE_URL must be a comma list of addresses: ${problem}`,
    ]);
  });

  it('are not possible for a provider that has its own', () => {
    expect(problemsOf({ EXA_BASE_URL: 'http://one,http://two' })).toHaveLength(1);
  });
});
