import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/given.ts';
import { secretNames } from '../../src/config/names.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-secrets-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileWith(text: string): Promise<string> {
  const path = join(folder, `secret-${Math.random().toString(36).slice(2)}`);
  await writeFile(path, text);
  return path;
}

function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('a secret from a file', () => {
  it('is read without the white space around it', async () => {
    const config = readConfig({
      EXA_API_KEY_FILE: await fileWith('exa-key-from-a-file\r\n\n'),
      YDC_API_KEY_FILE: await fileWith('\ufeff you-key-from-a-file\n'),
      DATABASE_URL_FILE: await fileWith('postgres://user:password@db.example.com/trawl\n'),
      CONSOLE_SECRET_FILE: await fileWith(`${'c'.repeat(40)}\n`),
    });
    expect(config.providers.exa?.credentials).toEqual(['exa-key-from-a-file']);
    expect(config.providers.you?.credentials).toEqual(['you-key-from-a-file']);
    expect(config.databaseUrl).toBe('postgres://user:password@db.example.com/trawl');
    expect(config.consoleSecret).toBe('c'.repeat(40));
  });

  it('is possible for every secret, and one in both ways is one problem', async () => {
    const path = await fileWith('x');
    for (const name of secretNames()) {
      expect(problemsOf({ [name]: 'y', [`${name}_FILE`]: path })).toEqual([
        `${name} and ${name}_FILE are both set: unset one of them`,
      ]);
    }
    expect(secretNames()).toEqual(
      expect.arrayContaining([
        'BOOTSTRAP_API_KEY',
        'CONSOLE_OIDC_CLIENT_SECRET',
        'COMPAT_SEARXNG_KEY',
        'TOPIC_EMBEDDINGS_API_KEY',
        'METRICS_TOKEN',
        'JINA_API_KEY',
      ]),
    );
  });

  it('may be a list of keys', async () => {
    const environment = { EXA_API_KEYS_FILE: await fileWith('key-one , key-two\n') };
    expect(readConfig(environment).providers.exa?.credentials).toEqual(['key-one', 'key-two']);
  });

  it('satisfies other settings that need it', async () => {
    const single = {
      PUBLIC_URL: 'https://trawl.example.com',
      CONSOLE_OIDC_ISSUER: 'https://id.example.com',
      CONSOLE_OIDC_CLIENT_ID: 'trawl',
    };
    const path = await fileWith('secret-of-the-client');
    expect(problemsOf({ ...single, CONSOLE_OIDC_CLIENT_SECRET_FILE: path })).toEqual([]);
  });

  it('that cannot be used is one line, which repeats neither the path nor the content', async () => {
    const [empty, wrong, large] = await Promise.all([
      fileWith(' \n'),
      fileWith('two words'),
      fileWith('x'.repeat(70_000)),
    ]);
    await mkdir(join(folder, 'folder'));
    const problems = problemsOf({
      EXA_API_KEY_FILE: join(folder, 'missing'),
      BRAVE_API_KEY_FILE: empty,
      TAVILY_API_KEY_FILE: join(folder, 'folder'),
      LINKUP_API_KEY_FILE: wrong,
      JINA_API_KEY_FILE: large,
      BOOTSTRAP_API_KEY_FILE: 'tk_a-key-that-was-set-by-mistake',
    });
    expect([...problems].sort()).toEqual([
      'BOOTSTRAP_API_KEY_FILE names a file that cannot be read (ENOENT)',
      'BRAVE_API_KEY_FILE names an empty file',
      'EXA_API_KEY_FILE names a file that cannot be read (ENOENT)',
      'JINA_API_KEY_FILE names a file of more than 64 KB',
      'TAVILY_API_KEY_FILE names something that is not a regular file',
      'the content of LINKUP_API_KEY_FILE must be printable ASCII without spaces',
    ]);
  });
});
