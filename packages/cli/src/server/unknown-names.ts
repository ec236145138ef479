import { commandHere } from '@trawl/client/terminal/manifest';
import { type Config, type Environment, misspeltSettings, settingNames } from '@trawl/server';

/** What an operator set by mistake. */
interface Given {
  readonly environment: Environment;
  /**
   * The names in `.env`, which is for the server; those of the environment may belong to other
   * programs.
   */
  readonly dotEnvNames?: readonly string[];
}

/**
 * Names that look like settings but are not, one sentence each. Never their values. Variables of
 * declared providers have any name.
 */
export function unknownNames(
  { environment, dotEnvNames = [] }: Given,
  { declaredProviders }: Pick<Config, 'declaredProviders'>,
): readonly string[] {
  const used = new Set(
    declaredProviders.flatMap(({ secretParts = [] }) =>
      secretParts.flatMap(({ variables }) => variables),
    ),
  );
  const others = Object.entries(environment).filter(([name]) => !used.has(name));
  return [
    ...misspeltSettings(Object.fromEntries(others)),
    ...dotEnvNames.flatMap((name) => {
      // named above, or of a declared provider
      if (used.has(name) || misspeltSettings({ [name]: '' }).length > 0) return [];
      const reason = limitReason(name) ?? partReason(name);
      return reason === undefined ? [] : `${name} is not a setting${reason}`;
    }),
  ];
}

/** Limits that are flags, and not settings. */
const LIMITS = ['RATE_LIMIT', 'MONTHLY_BUDGET'];

function limitReason(name: string): string | undefined {
  const limit = LIMITS.find((words) => isPrefix(words, name));
  if (limit === undefined) return undefined;
  const flag = `--${limit.toLowerCase().replace('_', '-')}`;
  return `: limits belong to keys and projects, see "${commandHere()} keys limit ID ${flag}"`;
}

/**
 * The settings that a name of several words begins, or ends without the first word only. When many
 * settings share an end, such as API_KEY, the name says nothing.
 */
function partReason(name: string): string | undefined {
  const settings = settingNames();
  if (!name.includes('_') || settings.includes(name)) return undefined;
  const begun = settings.filter((setting) => isPrefix(name, setting));
  const ended = settings.filter((setting) => setting.endsWith(`_${name}`));
  const isSure = ended.length === 1 && ended.every((end) => isAfterFirstWord(name, end));
  const meant = [...begun, ...(isSure ? ended : [])];
  // a secret and the file with it are one setting
  const shown = meant.filter((setting) => !meant.some((other) => setting === `${other}_FILE`));
  return shown.length === 0 ? undefined : `; did you mean ${shown.slice(0, 3).join(' or ')}?`;
}

const isAfterFirstWord = (part: string, name: string): boolean =>
  name.slice(name.indexOf('_') + 1) === part;

const isPrefix = (part: string, name: string): boolean => `${name}_`.startsWith(`${part}_`);
