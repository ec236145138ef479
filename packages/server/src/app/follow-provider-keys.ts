import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { ProviderKeys } from '../config/provider-settings.ts';

const PAUSE_MS = 2_000;

export interface ProviderKeyFollower {
  /** Reads all keys again now. */
  readonly check: () => void;
  readonly stop: () => void;
}

export interface ProviderKeyFollowerOptions {
  /** By slug, as used now. */
  readonly initial: ReadonlyMap<string, readonly string[]>;
  /** The keys as the settings give them now. */
  readonly read: () => ProviderKeys;
  /** Called once with all providers whose keys are others now. */
  readonly onChange: (changed: ReadonlyMap<string, readonly string[]>) => void;
  readonly log: Logger;
  readonly pauseMs?: number;
}

/**
 * Looks every two seconds at the files of providers' keys, and reads the keys again when a file
 * changed. It compares what each path leads to, so a mount that swaps a link is noticed too. A key
 * that cannot be read stays as it was.
 */
export function followProviderKeys(options: ProviderKeyFollowerOptions): ProviderKeyFollower {
  const { initial, read, onChange, log, pauseMs = PAUSE_MS } = options;
  const inUse = new Map(initial);
  let files: readonly string[] = [];
  let state = '';

  function check(): void {
    const found = read();
    files = found.files;
    for (const problem of found.problems) log.warn(`${problem}: the keys in use stay`);
    const changed = new Map(
      [...found.keys].filter(([slug, keys]) => {
        const used = inUse.get(slug);
        return used !== undefined && !areEqual(used, keys);
      }),
    );
    if (changed.size === 0) return;
    for (const [slug, keys] of changed) {
      inUse.set(slug, keys);
      log.info({ provider: slug, keys: keys.length }, 'the keys of a provider changed');
    }
    onChange(changed);
  }

  let isLooking = false;
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    const now = await stateOf(files);
    isLooking = false;
    if (now === state) return;
    state = now;
    check();
  }

  check();
  const timer = setInterval(look, pauseMs).unref();
  return { check, stop: () => clearInterval(timer) };
}

/** What the paths lead to: another text once a file was written, replaced or removed. */
async function stateOf(files: readonly string[]): Promise<string> {
  const states = files.map(async (path) => {
    const facts = await stat(path, { bigint: true }).catch(() => undefined);
    return facts ? `${path} ${facts.ino} ${facts.size} ${facts.mtimeNs}` : path;
  });
  return `seen ${(await Promise.all(states)).join('\n')}`;
}

/** Their order counts too: it decides which one is used first. */
const areEqual = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((key, place) => key === others[place]);
