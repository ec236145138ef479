import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { textOfFile } from '../settings/file-text.ts';
import type { Environment } from './style.ts';

/**
 * The variables of the `.env` in the working directory; empty when it is missing or cannot be read.
 */
export function readDotEnv(): Environment {
  try {
    return parseEnv(textOfFile(readFileSync('.env'), '.env'));
  } catch {
    return {};
  }
}
