import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SettingsCase } from './cases.ts';

/** A case whose files are written: where a search runs, and with which variables. */
export interface Place {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly call: SettingsCase['call'];
}

/** Writes the files of a case into an empty folder. */
export function placeOf(folder: string, url: string, given: SettingsCase): Place {
  const write = (path: string, content: object | string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const isRaw = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(join(folder, path), isRaw ? content : JSON.stringify(content));
  };
  write('project/.git/HEAD', 'ref: refs/heads/main');
  if (given.project !== undefined) write('project/trawl.config.json', given.project);
  if (given.user !== undefined) write('home/.config/trawl/config.json', given.user);
  for (const [path, content] of Object.entries(given.files ?? {})) write(path, content);
  const directory = join(folder, 'project/deep/below');
  mkdirSync(directory, { recursive: true });
  const variables = Object.entries(given.environment ?? {}).map(
    ([name, value]) => [name, value.replace('FOLDER', folder)] as const,
  );
  return {
    directory,
    environment: {
      HOME: join(folder, 'home'),
      SERVICE_BASE_URL: url,
      SERVICE_API_KEY: 'tk_of-the-environment',
      ...Object.fromEntries(variables),
    },
    call: given.call,
  };
}

/** Does the work as a process in that directory, with these variables alone. */
export async function inPlace<T>(
  { directory, environment }: Place,
  work: () => Promise<T>,
): Promise<T> {
  const before = { directory: process.cwd(), environment: process.env };
  process.chdir(directory);
  process.env = { ...environment };
  try {
    return await work();
  } finally {
    process.env = before.environment;
    process.chdir(before.directory);
  }
}
