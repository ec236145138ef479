import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** What is missing, and what helps. */
export interface LocalShortage {
  /** Completes "because …". */
  readonly reason: string;
  readonly remedy: string;
}

const FILES: LocalShortage = {
  reason: 'this server has no file descriptor left',
  remedy: 'send fewer requests at once, or raise its limit of open files (ulimit -n)',
};
const MEMORY: LocalShortage = {
  reason: 'the machine of this server has no memory left for a connection',
  remedy: 'send fewer requests at once, or give the machine more memory',
};
const PORTS: LocalShortage = {
  reason: 'the machine of this server has no local port or address for the connection',
  remedy: 'send fewer requests at once; if that does not help, check its network',
};

const SHORTAGES: Readonly<Record<string, LocalShortage>> = {
  EMFILE: FILES,
  ENFILE: FILES,
  ENOMEM: MEMORY,
  ENOBUFS: MEMORY,
  EADDRNOTAVAIL: PORTS,
};

/**
 * What this process or its machine lacked, by the code of an error; undefined = the error has
 * another cause.
 */
export const localShortage = (code: string | undefined): LocalShortage | undefined =>
  code !== undefined && Object.hasOwn(SHORTAGES, code) ? SHORTAGES[code] : undefined;

/**
 * The code of the shortage of file descriptors that there is now. A look-up of a name without one
 * fails as if the name were unknown, so only trying shows it.
 */
export function descriptorShortage(): string | undefined {
  try {
    closeSync(openSync(devNull, 'r'));
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    return localShortage(code) && code;
  }
}
