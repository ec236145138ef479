import { distance } from '@trawl/base';
import { idleNames } from './deployment-warnings.ts';
import type { Environment } from './given.ts';
import { settingNames } from './names.ts';

/** Variables that look like a setting but are unknown, one sentence each. Never their values. */
export function misspeltSettings(environment: Environment): readonly string[] {
  const settings = settingNames();
  const known = new Set([...settings, ...idleNames()]);
  return Object.keys(environment)
    .filter((name) => /^[A-Z]/.test(name) && !known.has(name))
    .flatMap((name) => {
      const meant = nearest(name, settings);
      return meant === undefined ? [] : `${name} is not a setting; did you mean ${meant}?`;
    });
}

const KEY_WORDS: Readonly<Record<string, string>> = {
  KEY: 'API_KEY',
  TOKEN: 'API_KEY',
  SECRET: 'API_KEY',
  KEYS: 'API_KEYS',
  TOKENS: 'API_KEYS',
};

function nearest(name: string, settings: readonly string[]): string | undefined {
  const [provider, word = '', ...rest] = name.split('_');
  const key = `${provider}_${KEY_WORDS[word] ?? word}`;
  if (rest.length === 0 && settings.includes(key)) return key;
  return settings
    .filter((setting) => isNear(name, setting))
    .sort((a, b) => distance(name, a) - distance(name, b))[0];
}

const withoutUnderscores = (name: string): string => name.replaceAll('_', '');

/**
 * Strict where the first word differs: XAI_API_KEY and HTTP_PROXY, near EXA_API_KEY and
 * HTTPS_PROXY, belong to others.
 */
function isNear(name: string, setting: string): boolean {
  if (Math.abs(name.length - setting.length) > 2) return false;
  if (withoutUnderscores(name) === withoutUnderscores(setting)) return true;
  const [first, wanted] = [firstWord(name), firstWord(setting)];
  if (first === wanted) return isWithin(name, setting, setting.length < 10 ? 1 : 2);
  const shorter = Math.min(first.length, wanted.length);
  return shorter >= 5 && isWithin(name, setting, shorter === 5 ? 1 : 2);
}

const isWithin = (name: string, setting: string, most: number): boolean =>
  distance(name, setting, most) <= most;

const firstWord = (name: string): string => name.split('_', 1)[0] ?? name;
