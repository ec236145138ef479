import { parseEnv } from 'node:util';
import { readTextFile } from '@trawl/base';
import type { Environment } from './style.ts';

/**
 * The variables of the `.env` in the working directory; empty when it is missing or cannot be read.
 */
export function readDotEnv(): Environment {
  try {
    return parseEnv(readTextFile('.env'));
  } catch {
    return {};
  }
}
