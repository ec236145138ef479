import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const [FIRST, SECOND, THIRD] = ['first-planted-key', 'second-planted-key', 'third-planted-key'];

/**
 * Secrets as Kubernetes mounts them: files are links into a folder that is itself a link, which is
 * swapped.
 */
describe("a provider's key in a file", () => {
  let folder: string;
  let server: TestServer;
  let mounts = 0;

  async function mount(key: string): Promise<void> {
    mounts += 1;
    const version = `..version-${mounts}`;
    await mkdir(join(folder, version));
    await writeFile(join(folder, version, 'exa'), `${key}\n`);
    await symlink(version, join(folder, '..data_tmp'));
    await rename(join(folder, '..data_tmp'), join(folder, '..data'));
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trawl-keys-'));
    await mount(FIRST);
    await symlink('..data/exa', join(folder, 'exa'));
    server = await startTestServer({
      watchesKeys: true,
      env: { EXA_API_KEY: undefined, EXA_API_KEY_FILE: join(folder, 'exa'), BREAKER: 'on' },
    });
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const search = async (query: string) => {
    const search = { providers: { include: ['exa'] }, include_raw: true };
    const answer = await server.search({ user_input: { query }, search });
    return { ...answer, run: answer.json.preprocessor_runs[0] };
  };
  const keySent = () => server.sandbox.calls.at(-1)?.key;
  const changed = (times: number) =>
    vi.waitFor(
      () =>
        expect(server.logged().match(/the keys of a provider changed/g) ?? []).toHaveLength(times),
      { timeout: 10_000, interval: 50 },
    );

  it('is used from when the file changes, and closes the circuit that the old one opened', async () => {
    expect((await search('echo [[exa:status=401]]')).run.error.code).toBe('invalid_credential');
    expect(keySent()).toBe(FIRST);
    expect((await search('owls')).run.error.code).toBe('circuit_open');
    await mount(SECOND);
    await changed(1);
    expect((await search('owls')).run.status).toBe('succeeded');
    expect(keySent()).toBe(SECOND);
  });

  it('is removed from answers together with the one before', async () => {
    const { text } = await search(`${FIRST} [[exa:echo-key]]`);
    expect(text).toContain('[redacted]');
    expect(text).not.toContain(SECOND);
    expect(server.logged()).not.toContain(FIRST);
    expect(server.logged()).not.toContain(SECOND);
  });

  it('is used again when the file has an earlier one again', async () => {
    await mount(FIRST);
    server.server.checkProviderKeys();
    await search('owls');
    expect(keySent()).toBe(FIRST);
    await mount(SECOND);
    server.server.checkProviderKeys();
    await search('owls');
    expect(keySent()).toBe(SECOND);
  });

  it('stays in use while the file cannot be read', async () => {
    await rename(join(folder, '..data'), join(folder, '..away'));
    server.server.checkProviderKeys();
    const warning =
      'EXA_API_KEY_FILE names a file that cannot be read (ENOENT): the keys in use stay';
    expect(server.logged()).toContain(warning);
    expect((await search('owls')).run.status).toBe('succeeded');
    expect(keySent()).toBe(SECOND);
    await mount(THIRD);
    await changed(4);
    await search('owls');
    expect(keySent()).toBe(THIRD);
  });
});
