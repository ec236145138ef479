import { existsSync } from 'node:fs';

/** Beside the command in a build; one folder up from a chunk of the build. */
const PLACES = ['./', '../'];

/** A file that the build put beside the program; undefined where there is none, as in a start from sources. */
export function programFile(name: string): URL | undefined {
  return PLACES.map((place) => new URL(place + name, import.meta.url)).find((url) =>
    existsSync(url),
  );
}
