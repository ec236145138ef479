import { existsSync } from 'node:fs';

/** Next to the command in a build; one folder up from a chunk of the build. */
const PLACES = ['./', '../'];

/**
 * A file that the build put next to the program; undefined without one, as in a start from sources.
 */
export function programFile(name: string): URL | undefined {
  return PLACES.map((place) => new URL(place + name, import.meta.url)).find((url) =>
    existsSync(url),
  );
}
