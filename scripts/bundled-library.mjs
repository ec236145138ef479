/**
 * The library that signs people in to the console is part of the bundle. As a dependency it would bring a test runner and
 * a bundler along, which are its optional peers: npm keeps such packages where they are installed for development.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const LIBRARY = 'better-auth';
const HOMES = ['node_modules', 'packages/console-api/node_modules'];
/** Dependencies of our packages too. They stay outside, and are there once. */
const SHARED = /^(?:kysely|zod)(?:\/|$)/;
/** Not installed for us. The library looks for it and can do without. */
const ABSENT = '@opentelemetry/api';

/** A note of the stamp. */
export const WITHOUT_LIBRARY = `without ${LIBRARY}`;

export const isLibraryInstalled = (root) =>
  HOMES.some((home) => existsSync(join(root, home, LIBRARY)));

/** How an import of a package is resolved: `inside` the bundle, `outside`, or `absent`. */
export function placeOf({ path, importer }, root) {
  const isLibrary = path === LIBRARY || path.startsWith(`${LIBRARY}/`);
  if (isLibrary) return isLibraryInstalled(root) ? 'inside' : 'outside';
  if (!importer.split(sep).includes('node_modules')) return 'outside';
  if (path === ABSENT) return 'absent';
  return SHARED.test(path) ? 'outside' : 'inside';
}

/** What an import of an absent package finds. */
export const ABSENT_SOURCE = `throw new Error('${ABSENT} is not installed');`;

/** The licences of all packages in the bundle, as they require; undefined without any. */
export function licencesOf(metafile, root) {
  const folders = new Set(
    Object.keys(metafile.inputs).flatMap((input) => packageFolder(join(root, input)) ?? []),
  );
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json')));
    const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
    const parts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    return [`${name} ${version} (${license})`, ...parts].join('\n\n');
  });
  return texts.length > 0 ? `${texts.join('\n\n----\n\n')}\n` : undefined;
}

/** The folder of a file's package below the last `node_modules`. */
function packageFolder(path) {
  const parts = path.split(sep);
  const start = parts.lastIndexOf('node_modules');
  if (start < 0) return undefined;
  const isScoped = parts[start + 1]?.startsWith('@');
  return parts.slice(0, start + (isScoped ? 3 : 2)).join(sep);
}
