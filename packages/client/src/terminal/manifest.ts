import { readFileSync } from 'node:fs';

interface Manifest {
  readonly version: string;
  readonly private: boolean;
  /** Whether the package of this name in the registry is ours. */
  readonly released: boolean;
}

export const version = (): string => manifest()?.version ?? 'unknown';

/** Packages that are published and have commands. */
const NAMES = ['trawl', '@trawl/evaluate'];

/** A clone is a private package; only a packed one is not. */
export const isClone = (): boolean => manifest()?.private !== false;

/** How a user calls `trawl` here. In a clone the command is not in PATH, but npx finds it. */
export const commandHere = (): string => (isClone() ? 'npx trawl' : 'trawl');

let found: { readonly manifest: Manifest | undefined } | undefined;

/** Read once: the help of a program names the command a hundred times. */
export function manifest(): Manifest | undefined {
  found ??= { manifest: readManifest() };
  return found.manifest;
}

function readManifest(): Manifest | undefined {
  // from dist/, dist/chunks/ and this source; packages on the way have other names
  for (const up of [1, 2, 3, 4]) {
    const place = `${'../'.repeat(up)}package.json`;
    try {
      const read: unknown = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8'));
      if (isManifest(read) && NAMES.includes(read.name)) {
        const { version, private: isPrivate, released } = read;
        return { version, private: isPrivate === true, released: released === true };
      }
    } catch {
      // not found: try the next place
    }
  }
  return undefined;
}

const isManifest = (
  value: unknown,
): value is { name: string; version: string; private?: unknown; released?: unknown } =>
  typeof value === 'object' && value !== null && 'name' in value && 'version' in value;
