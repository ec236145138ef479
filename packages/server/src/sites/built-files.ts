import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { StaticFile } from '../http/answer/static-file.ts';

/** Pages as the build made them: every address and its answer. */
export interface BuiltFiles {
  readonly routes: ReadonlyMap<string, StaticFile>;
  /** The page for a browser that requests another address. */
  readonly notFound: StaticFile;
}

const TABLE = 'site.json';

/** Written by scripts/docs-site and scripts/console. */
const entry = z.object({
  file: z.string(),
  hash: z.string(),
  type: z.string(),
  immutable: z.boolean().optional(),
});
const table = z.object({ routes: z.record(z.string(), entry), notFound: entry });

/**
 * The folder of built pages next to the program; undefined without one, as in a start from sources.
 */
export function builtFolder(name: string): URL | undefined {
  const found = programFile(`${name}/${TABLE}`);
  return found && new URL('./', found);
}

/** Reads all of it, at once: a later build must not mix in its pages. */
export async function readBuiltFiles(folder: URL): Promise<BuiltFiles> {
  const { routes, notFound } = table.parse(
    JSON.parse(await readFile(new URL(TABLE, folder), 'utf8')),
  );
  const files = await Promise.all(
    Object.entries(routes).map(
      async ([path, named]) => [path, await readStaticFile(folder, named)] as const,
    ),
  );
  return { routes: new Map(files), notFound: await readStaticFile(folder, notFound) };
}

async function readStaticFile(
  folder: URL,
  { file, hash, type, immutable = false }: z.infer<typeof entry>,
): Promise<StaticFile> {
  const read = (ending: string) => readFile(new URL(`files/${file}${ending}`, folder));
  const [identity, gzip, br] = await Promise.all([read(''), read('.gz'), read('.br')]);
  return { type, hash, immutable, bodies: { identity, gzip, br } };
}

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
