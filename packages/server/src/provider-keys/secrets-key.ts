import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { faultCode } from '@trawl/base';
import type { Config } from '../config/config.ts';
import { SECRETS_KEY_FORM } from '../config/settings.ts';

type Place = Pick<Config, 'secretsKey' | 'databaseUrl' | 'dataDir'>;

/** The secret that seals keys of providers, or why it is missing. */
export type SecretsKey = { readonly secret: Uint8Array } | { readonly problem: string };

const FILE = 'secrets-key';
const UNSET =
  'SECRETS_KEY is not set, and the database is PostgreSQL: set it to the same 32 bytes in base64 on every server ("openssl rand -base64 32"), then start them again';

/** The secret of this deployment; undefined = the embedded database has none yet. */
export function readSecretsKey(place: Place): SecretsKey | undefined {
  if (place.secretsKey !== undefined) return { secret: bytesOf(place.secretsKey) };
  if (place.databaseUrl !== undefined) return { problem: UNSET };
  try {
    const text = readFileSync(join(place.dataDir, FILE), 'utf8').trim();
    if (SECRETS_KEY_FORM.test(text)) return { secret: bytesOf(text) };
    return { problem: `the file ${FILE} in DATA_DIR does not hold 32 bytes in base64` };
  } catch (error) {
    const code = faultCode(error);
    if (code === 'ENOENT') return undefined;
    return { problem: `the file ${FILE} in DATA_DIR cannot be read (${code})` };
  }
}

/**
 * The secret of this deployment, which is made where the embedded database has none yet. It is on
 * the disk before anything is sealed under it.
 */
export function ensureSecretsKey(place: Place): SecretsKey {
  const found = readSecretsKey(place);
  if (found) return found;
  const path = join(place.dataDir, FILE);
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
    sync(draft);
    linkUnlessThere(draft, path);
    sync(place.dataDir);
  } catch (error) {
    return { problem: `the file ${FILE} in DATA_DIR cannot be written (${faultCode(error)})` };
  } finally {
    rmSync(draft, { force: true });
  }
  return readSecretsKey(place) ?? { problem: `the file ${FILE} in DATA_DIR is missing` };
}

/** Whole or not at all: of two processes that make it, one succeeds and both use its file. */
function linkUnlessThere(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (faultCode(error) !== 'EEXIST') throw error;
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'base64');
