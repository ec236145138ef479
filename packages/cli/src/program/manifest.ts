import { readFileSync } from 'node:fs';

interface Manifest {
  readonly version: string;
  readonly private: boolean;
  /** The package of this name in the registry is ours. */
  readonly released: boolean;
}

export const version = (): string => manifest()?.version ?? 'unknown';

/** Only what was packed is no private package. */
export const isClone = (): boolean => manifest()?.private !== false;

/** What a user writes here for `trawl`: in a clone the command is in no folder of the path, but npx finds it. */
export const commandHere = (): string => (isClone() ? 'npx trawl' : 'trawl');

export function manifest(): Manifest | undefined {
  // the root as seen from dist/, from dist/chunks/ and from this source; other packages in between have other names
  for (const up of [1, 2, 3, 4]) {
    const place = `${'../'.repeat(up)}package.json`;
    try {
      const found: unknown = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8'));
      if (isManifest(found) && found.name === 'trawl') {
        const { version, private: isPrivate, released } = found;
        return { version, private: isPrivate === true, released: released === true };
      }
    } catch {
      // not there: the next place
    }
  }
  return undefined;
}

const isManifest = (
  value: unknown,
): value is { name: string; version: string; private?: unknown; released?: unknown } =>
  typeof value === 'object' && value !== null && 'name' in value && 'version' in value;
