import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openKey, sealKey } from '../../src/provider-keys/seal.ts';
import { ensureSecretsKey, readSecretsKey } from '../../src/provider-keys/secrets-key.ts';

const SECRET = randomBytes(32);
const OWNER = { provider: 'exa', id: '01a21ddb-2f1d-779c-94fb-2f086c1956e6' };

describe('a sealed key', () => {
  it('opens for its own row under its own secret, and is another text each time', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (key) => {
        const sealed = sealKey(key, SECRET, OWNER);
        expect(openKey(sealed, SECRET, OWNER)).toBe(Buffer.from(key).toString());
        expect(sealKey(key, SECRET, OWNER)).not.toBe(sealed);
      }),
    );
  });

  it('opens nowhere else, and not after a change of any of its characters', () => {
    const sealed = sealKey('a-key-of-exa', SECRET, OWNER);
    expect(openKey(sealed, randomBytes(32), OWNER)).toBeUndefined();
    expect(openKey(sealed, SECRET, { ...OWNER, provider: 'tavily' })).toBeUndefined();
    expect(openKey(sealed, SECRET, { ...OWNER, id: OWNER.id.replace('6', '7') })).toBeUndefined();
    for (const [at, character] of [...sealed].entries()) {
      // the last one may have bits that base64 ignores
      if (at === sealed.length - 1) continue;
      const other = character === 'A' ? 'B' : 'A';
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
      expect(openKey(changed, SECRET, OWNER)).toBeUndefined();
    }
    for (const text of ['', 'v1.', 'v1.AAAA', 'a-key-of-exa']) {
      expect(openKey(text, SECRET, OWNER)).toBeUndefined();
    }
  });
});

describe('the secret of a deployment', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'trawl-secret-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const place = () => ({ secretsKey: undefined, databaseUrl: undefined, dataDir });

  it('is made once for the embedded database, and leaves no other file', async () => {
    expect(readSecretsKey(place())).toBeUndefined();
    const made = ensureSecretsKey(place());
    expect(made).toHaveProperty('secret.length', 32);
    expect(ensureSecretsKey(place())).toEqual(made);
    expect(readSecretsKey(place())).toEqual(made);
    expect(await readdir(dataDir)).toEqual(['secrets-key']);
  });

  it('is never replaced where its file is damaged', async () => {
    const file = join(dataDir, 'secrets-key');
    await writeFile(file, 'half a sec');
    const problem = 'the file secrets-key in DATA_DIR does not hold 32 bytes in base64';
    expect(ensureSecretsKey(place())).toEqual({ problem });
    expect(await readFile(file, 'utf8')).toBe('half a sec');
  });

  it('says why it cannot be written', async () => {
    const nowhere = { ...place(), dataDir: join(dataDir, 'no', 'such') };
    const problem = 'the file secrets-key in DATA_DIR cannot be written (ENOENT)';
    expect(ensureSecretsKey(nowhere)).toEqual({ problem });
  });
});
