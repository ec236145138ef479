import { FIELDS, TIERS } from '../contract/routes.ts';
import type { JsonObject } from '../contract/types.ts';
import { TrawlError } from '../values/errors.ts';
import { isObject } from '../values/json.ts';
import { nearest } from '../values/names.ts';
import type { SettingName, SettingsValues } from './settings.ts';

/** What to write instead of a wrong value; undefined for a valid one. */
type Check = (value: unknown) => string | undefined;

const oneOf =
  (words: readonly string[]): Check =>
  (value) =>
    words.some((word) => word === value) ? undefined : `write one of ${quotedList(words)}`;

const listOf =
  (example: string, minimum: number, words?: readonly string[]): Check =>
  (value) => {
    if (!Array.isArray(value)) return `write a list, such as ${example}`;
    const odd: unknown = value.find((item) => typeof item !== 'string' || item.trim() === '');
    if (odd !== undefined) return `write a list of names, such as ${example}`;
    if (value.length < minimum) return 'name at least one, or remove the key';
    const unknown = words && value.find((item) => !words.includes(item));
    return unknown === undefined
      ? undefined
      : `"${unknown}" is not a field; the fields are ${quotedList(words ?? [])}`;
  };

const CHECKS: Readonly<Record<SettingName, Check>> = {
  tier: oneOf(TIERS),
  fields: listOf('["url", "title"]', 1, FIELDS),
  providersInclude: listOf('["name-one", "name-two"]', 1),
  providersExclude: listOf('["name-one", "name-two"]', 0),
  fullContent: (value) =>
    typeof value === 'boolean' ? undefined : 'write true or false, without quotes',
  autoRouting: oneOf(['accuracy', 'off']),
};
export const SETTING_NAMES = Object.keys(CHECKS) as readonly SettingName[];

/**
 * Reads the settings in a file's text. A value of null counts as not set.
 * @param path for error messages
 * @throws TrawlError `usage` naming file, key and remedy
 */
export function readFileValues(text: string, path: string): SettingsValues {
  const json = parsed(text, path);
  if (!isObject(json))
    throw complaint(path, 'it is not a JSON object: write { "tier": "default" }, for example');
  for (const [key, value] of Object.entries(json)) {
    if (key === '$schema' || value === null) continue;
    if (!isSettingName(key)) throw complaint(path, `"${key}" ${unknownKey(key)}`);
    const remedy = CHECKS[key](value);
    if (remedy) throw complaint(path, `"${key}" is ${shown(value)}: ${remedy}`);
  }
  return chosen(json);
}

/**
 * Reads the settings in environment variables. An empty variable is not set, lists are separated by
 * commas, and only `1` turns full content on.
 * @throws TrawlError `usage` naming variable and remedy
 */
export function readEnvironmentValues(
  environment: Readonly<Record<string, string | undefined>>,
): SettingsValues {
  const given: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) {
    const value = fromVariable(name, environment[variableOf(name)]);
    if (value === undefined) continue;
    const remedy = CHECKS[name](value);
    if (remedy) {
      throw new TrawlError(
        'usage',
        `${variableOf(name)} is ${shown(environment[variableOf(name)])}: ${remedy}`,
      );
    }
    given[name] = value;
  }
  return chosen(given);
}

/** `providersInclude` → `SERVICE_PROVIDERS_INCLUDE`. */
export const variableOf = (name: SettingName): string =>
  `SERVICE_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;

function fromVariable(name: SettingName, text: string | undefined): unknown {
  if (name === 'fullContent') return text === '1' ? true : undefined;
  if (text === undefined || text.trim() === '') return undefined;
  if (name === 'tier' || name === 'autoRouting') return text;
  const items = text.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}

/** Only called with checked values. */
const chosen = (given: JsonObject): SettingsValues =>
  Object.fromEntries(
    SETTING_NAMES.filter((name) => given[name] != null).map((name) => [name, given[name]]),
  );

const isSettingName = (key: string): key is SettingName => Object.hasOwn(CHECKS, key);

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // the error of the runtime quotes the file, which may contain a key
    const reason = String(error).replace(/^\w+: |, (\.\.\.)?".*$/gs, '');
    throw complaint(path, `it is not JSON (${reason}): correct it, or remove the file`);
  }
}

function unknownKey(key: string): string {
  if (/key|token|secret/i.test(key)) {
    return 'does not belong in a file: put the API key into the environment variable SERVICE_API_KEY, and remove this line';
  }
  const near = nearest(key, SETTING_NAMES);
  return near
    ? `is not known: write "${near}"`
    : `is not known: the keys are ${quotedList(SETTING_NAMES)}`;
}

const complaint = (path: string, text: string): TrawlError =>
  new TrawlError('usage', `${path}: ${text}`);

const quotedList = (words: readonly string[]): string =>
  words.map((word) => `"${word}"`).join(', ');

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
};
