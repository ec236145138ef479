import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isTrawlError } from '../src/index.ts';
import {
  connectionSettings,
  conversationSettings,
  loadSettings,
  type Surroundings,
} from '../src/settings/index.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'trawl-settings-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: unknown): string {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content));
  return full;
}

/** Loads settings as a process in `repository/deep/below` does, with only the given values set. */
const load = (environment: Record<string, string> = {}, more: Surroundings = {}) =>
  loadSettings({
    environment,
    directory: join(folder, 'repository/deep/below'),
    homeDirectory: join(folder, 'home'),
    platform: 'linux',
    ...more,
  });
const tierOf = (loaded: ReturnType<typeof load>) => loaded.settings.tier?.value;

beforeEach(() => {
  write('repository/.git/HEAD', 'ref: refs/heads/main');
  mkdirSync(join(folder, 'repository/deep/below'), { recursive: true });
});

describe('the project’s file', () => {
  test('without files and variables nothing is set', () => {
    const { settings, files } = load();
    expect(settings).toEqual({});
    expect(files).toEqual([
      {
        origin: 'project',
        path: join(folder, 'repository/deep/below/trawl.config.json'),
        exists: false,
      },
      { origin: 'user', path: join(folder, 'home/.config/trawl/config.json'), exists: false },
    ]);
  });

  test.each(['', 'home'])(
    'without a folder of the user (%j) it is the only one',
    (homeDirectory) => {
      const { files } = load({}, { homeDirectory });
      expect(files.map(({ origin }) => origin)).toEqual(['project']);
    },
  );

  test('only the nearest one counts', () => {
    write('repository/trawl.config.json', { tier: 'max', fullContent: true });
    expect(tierOf(load())).toBe('max');
    const path = write('repository/deep/trawl.config.json', { tier: 'minimalist' });
    expect(load().settings).toEqual({
      tier: { value: 'minimalist', origin: 'project', place: path },
    });
    write('repository/deep/below/trawl.config.json', { tier: 'extended' });
    expect(tierOf(load())).toBe('extended');
  });

  test('a file above the root of the repository does not count', () => {
    write('trawl.config.json', { tier: 'max' });
    expect(load().settings).toEqual({});
  });

  test('a worktree, whose .git is a file, is a repository too', () => {
    write('trawl.config.json', { tier: 'max' });
    write('worktree/.git', 'gitdir: elsewhere');
    write('worktree/trawl.config.json', { tier: 'minimalist' });
    mkdirSync(join(folder, 'worktree/src'));
    expect(tierOf(load({}, { directory: join(folder, 'worktree/src') }))).toBe('minimalist');
  });

  test('outside a repository only the working directory counts', () => {
    write('plain/trawl.config.json', { tier: 'max' });
    mkdirSync(join(folder, 'plain/below'));
    expect(tierOf(load({}, { directory: join(folder, 'plain') }))).toBe('max');
    expect(tierOf(load({}, { directory: join(folder, 'plain/below') }))).toBeUndefined();
  });
});

describe('the user’s file', () => {
  test.each([
    ['~/.config', 'home/.config/trawl/config.json', 'linux', {}],
    ['XDG_CONFIG_HOME', 'xdg/trawl/config.json', 'linux', { XDG_CONFIG_HOME: 'xdg' }],
    ['XDG_CONFIG_HOME on a Mac', 'xdg/trawl/config.json', 'darwin', { XDG_CONFIG_HOME: 'xdg' }],
    [
      'APPDATA',
      'roaming/trawl/config.json',
      'win32',
      { APPDATA: 'roaming', XDG_CONFIG_HOME: 'xdg' },
    ],
  ])('is in %s', (_name, path, platform, named) => {
    write(path, { tier: 'max' });
    const environment = Object.fromEntries(
      Object.entries(named).map(([name, value]) => [name, join(folder, value)]),
    );
    expect(tierOf(load(environment, { platform }))).toBe('max');
  });

  test('a relative XDG_CONFIG_HOME is ignored', () => {
    write('home/.config/trawl/config.json', { tier: 'max' });
    expect(tierOf(load({ XDG_CONFIG_HOME: 'relative' }))).toBe('max');
  });
});

test('5.5 each key comes from the place of highest precedence, which is named', () => {
  const project = write('repository/trawl.config.json', {
    $schema: './schema.json',
    providersInclude: ['a'],
    tier: null,
    autoRouting: 'accuracy',
  });
  const user = write('home/.config/trawl/config.json', { tier: 'max', providersInclude: ['b'] });
  const { settings } = load({
    SERVICE_TIER: 'minimalist',
    SERVICE_FULL_CONTENT: '1',
    SERVICE_AUTO_ROUTING: 'off',
  });
  expect(settings).toEqual({
    tier: { value: 'max', origin: 'user', place: user },
    providersInclude: { value: ['a'], origin: 'project', place: project },
    fullContent: { value: true, origin: 'environment', place: 'SERVICE_FULL_CONTENT' },
    autoRouting: { value: 'off', origin: 'environment', place: 'SERVICE_AUTO_ROUTING' },
  });
});

describe('a bad file is an error that names file, key and remedy', () => {
  test.each([
    ['{ "tier": ', ['not JSON', 'correct it']],
    ['[]', ['not a JSON object', '{ "tier"']],
    ['"max"', ['not a JSON object']],
    [{ tier: 'huge' }, ['"tier" is "huge"', '"minimalist", "default", "extended", "max"']],
    [{ tier: 3 }, ['"tier" is 3', 'one of']],
    [{ fields: 'url,title' }, ['"fields"', 'a list, such as ["url", "title"]']],
    [{ fields: ['url', 'titel'] }, ['"fields"', '"titel" is not a field', '"title"']],
    [{ fields: [] }, ['"fields"', 'at least one']],
    [{ fields: ['url', 4] }, ['"fields"', 'list of names']],
    [{ providersInclude: 'a' }, ['"providersInclude"', 'a list']],
    [{ providersInclude: [] }, ['"providersInclude"', 'at least one']],
    [{ providersExclude: [''] }, ['"providersExclude"', 'list of names']],
    [{ fullContent: 1 }, ['"fullContent" is 1', 'true or false']],
    [{ fullContent: '1' }, ['"fullContent"', 'without quotes']],
    [{ autoRouting: true }, ['"autoRouting" is true', '"accuracy", "off"']],
    [{ providers_include: ['a'] }, ['"providers_include"', 'write "providersInclude"']],
    [{ tierr: 'max' }, ['"tierr"', 'write "tier"']],
    [{ num_results: 3 }, ['"num_results"', 'the keys are']],
    ['{"__proto__": {"tier": "max"}}', ['"__proto__"', 'the keys are']],
  ])('%j', (content, expected) => {
    for (const place of ['repository/trawl.config.json', 'home/.config/trawl/config.json']) {
      const path = write(place, content);
      const error = caught(load);
      expect(isTrawlError(error) && error.kind).toBe('usage');
      for (const part of [path, ...expected]) expect(String(error)).toContain(part);
      rmSync(path);
    }
  });

  test('a key of the API in a file is refused without being shown', () => {
    write('repository/trawl.config.json', { apiKey: 'tk_secret-key' });
    const error = String(caught(load));
    expect(error).toContain('SERVICE_API_KEY');
    expect(error).not.toContain('secret-key');
  });

  test('a file that is not JSON is not quoted', () => {
    write('repository/trawl.config.json', '{ "apiKey": "tk_secret-key" "tier": "max" }');
    const error = String(caught(load));
    expect(error).toMatch(/it is not JSON \(\w.*\): correct it/);
    expect(error).not.toContain('secret');
  });

  test('a file that cannot be read', () => {
    mkdirSync(join(folder, 'repository/trawl.config.json'));
    expect(String(caught(load))).toMatch(/trawl\.config\.json: it cannot be read \(EISDIR\)/);
  });

  test('a byte order mark is accepted', () => {
    write('repository/trawl.config.json', '\uFEFF{"tier":"max"}');
    expect(tierOf(load())).toBe('max');
  });
});

test('server and key come from the environment, and the key is read for each call', () => {
  const environment: Record<string, string> = { SERVICE_BASE_URL: 'https://trawl.example.com' };
  const { baseUrl, apiKey } = connectionSettings(environment);
  expect(baseUrl).toBe('https://trawl.example.com');
  if (typeof apiKey !== 'function') throw new Error('a key that is read once');
  expect(apiKey()).toBeUndefined();
  environment.SERVICE_API_KEY = 'tk_new';
  expect(apiKey()).toBe('tk_new');
  expect(connectionSettings({ SERVICE_BASE_URL: '' }).baseUrl).toBeUndefined();
});

test.each([
  ['off', false],
  ['on', true],
  ['', true],
])('SERVICE_INCREMENTAL=%s', (text, incremental) => {
  expect(conversationSettings({ SERVICE_INCREMENTAL: text })).toEqual({ incremental });
});

function caught(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
