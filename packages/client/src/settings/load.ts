import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve, win32 } from 'node:path';
import process from 'node:process';
import type { ConversationOptions } from '../client/conversation.ts';
import type { Environment } from '../values/environment.ts';
import { TrawlError } from '../values/errors.ts';
import type { TrawlOptions } from '../values/options.ts';
import { textOfFile } from './file-text.ts';
import { readEnvironmentValues, readFileValues, variableOf } from './read-values.ts';
import { overriddenSettings, resolveSettings } from './resolve.ts';
import type { Overridden, SettingOrigin, Settings, Source } from './settings.ts';

export type { Environment };

/** Where settings are searched; those of this process when absent. */
export interface Surroundings {
  readonly environment?: Environment | undefined;
  readonly directory?: string | undefined;
  readonly platform?: string | undefined;
  readonly homeDirectory?: string | undefined;
}

/** The settings that apply, and the files they may come from. */
export interface LoadedSettings {
  readonly settings: Settings;
  readonly overridden: Overridden;
  readonly files: readonly SettingsFile[];
}

export interface SettingsFile {
  readonly origin: SettingOrigin;
  readonly path: string;
  readonly exists: boolean;
}

const PROJECT_FILE = 'trawl.config.json';

/**
 * Reads the settings files and the environment.
 * @throws TrawlError `usage` naming file or variable, key and remedy
 */
export function loadSettings(surroundings: Surroundings = {}): LoadedSettings {
  const { environment = process.env } = surroundings;
  const user = userFile(surroundings);
  const paths = [
    {
      origin: 'project' as const,
      path: projectFile(resolve(surroundings.directory ?? process.cwd())),
    },
    ...(user === undefined ? [] : [{ origin: 'user' as const, path: user }]),
  ];
  const found = paths.map((file) => ({ ...file, text: readIfExists(file.path) }));
  const sources: Source[] = [
    ...found.flatMap(({ origin, path, text }) =>
      text === undefined
        ? []
        : [{ origin, values: readFileValues(text, path), placeOf: () => path }],
    ),
    { origin: 'environment', values: readEnvironmentValues(environment), placeOf: variableOf },
  ];
  return {
    settings: resolveSettings(sources),
    overridden: overriddenSettings(sources),
    files: found.map(({ origin, path, text }) => ({ origin, path, exists: text !== undefined })),
  };
}

/**
 * Address and key from `SERVICE_BASE_URL` and `SERVICE_API_KEY`. The key is read again for each
 * call, and never from a file.
 */
export function connectionSettings(
  environment: Environment = process.env,
): Pick<TrawlOptions, 'baseUrl' | 'apiKey'> {
  return {
    baseUrl: environment.SERVICE_BASE_URL || undefined,
    apiKey: () => environment.SERVICE_API_KEY,
  };
}

/** Whether conversations send only new turns; `SERVICE_INCREMENTAL=off` turns that off. */
export function conversationSettings(
  environment: Environment = process.env,
): Pick<ConversationOptions, 'incremental'> {
  return { incremental: environment.SERVICE_INCREMENTAL !== 'off' };
}

/**
 * The project's file, in the directory or its nearest parent that has one, up to the root of the
 * repository. Outside a repository only the directory itself counts: otherwise the owner of a
 * parent folder could control the searches of everyone below it.
 */
function projectFile(directory: string): string {
  const inside: string[] = [];
  for (let at = directory; ; at = dirname(at)) {
    inside.push(at);
    if (existsSync(join(at, '.git'))) break;
    if (at === dirname(at)) return join(directory, PROJECT_FILE);
  }
  const nearest = inside.find((folder) => existsSync(join(folder, PROJECT_FILE)));
  return join(nearest ?? directory, PROJECT_FILE);
}

/**
 * undefined when the user's folder is unknown. A relative path is not used, since it depends on the
 * working directory.
 */
function userFile(surroundings: Surroundings): string | undefined {
  const {
    environment = process.env,
    platform = process.platform,
    homeDirectory = environment.HOME || systemHome(),
  } = surroundings;
  const home = homeDirectory && isAbsoluteOn(platform, homeDirectory) ? homeDirectory : undefined;
  if (platform === 'win32') {
    const roaming = environment.APPDATA || (home && join(home, 'AppData', 'Roaming'));
    return roaming && join(roaming, 'trawl', 'config.json');
  }
  const named = environment.XDG_CONFIG_HOME;
  // the XDG specification says to ignore relative paths
  const folder = named && isAbsolute(named) ? named : home && join(home, '.config');
  return folder && join(folder, 'trawl', 'config.json');
}

const isAbsoluteOn = (platform: string, path: string): boolean =>
  platform === 'win32' ? win32.isAbsolute(path) : isAbsolute(path);

/** undefined when the system does not know the user. */
function systemHome(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

function readIfExists(path: string): string | undefined {
  const bytes = bytesIfExists(path);
  return bytes && textOfFile(bytes, path);
}

function bytesIfExists(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new TrawlError(
      'usage',
      `${path}: it cannot be read (${code}): correct its permissions, or remove it`,
    );
  }
}
