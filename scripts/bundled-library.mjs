/**
 * Which libraries are part of the bundle. Reading hundreds of small files takes most of the time
 * that the command needs to start. The library that signs people in to the console is inside for
 * another reason: as a dependency it would bring a test runner and a bundler along, which are its
 * optional peers, and npm keeps such packages where they are installed for development.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const LIBRARY = 'better-auth';
const HOMES = ['node_modules', 'packages/console-api/node_modules'];
/**
 * Ours, with many files. Libraries with native code, or that start threads from files of their own,
 * stay outside.
 */
const INSIDE =
  /^(?:@exodus\/bytes|kysely|zod|hono|@hono\/node-server|undici|commander|entities|fast-xml-parser|feedsmith|htmlparser2|lru-cache|parse5|ipaddr\.js|js-yaml|prom-client|@opentelemetry\/api|uuid|cli-table3)(?:\/|$)/;
/**
 * The library that signs people in looks for it, and would report to what the operator has set up
 * for other things.
 */
const ABSENT = '@opentelemetry/api';

/** A note of the stamp. */
export const WITHOUT_LIBRARY = `without ${LIBRARY}`;

export const isLibraryInstalled = (root) =>
  HOMES.some((home) => existsSync(join(root, home, LIBRARY)));

/** How an import of a package is resolved: `inside` the bundle, `outside`, or `absent`. */
export function placeOf({ path, importer }, root) {
  const isLibrary = path === LIBRARY || path.startsWith(`${LIBRARY}/`);
  if (isLibrary) return isLibraryInstalled(root) ? 'inside' : 'outside';
  if (path === ABSENT && importer.includes('better-auth')) return 'absent';
  const isOfLibrary = importer.split(sep).includes('node_modules');
  return isOfLibrary || INSIDE.test(path) ? 'inside' : 'outside';
}

/** What an import of an absent package finds. */
export const ABSENT_SOURCE = `throw new Error('${ABSENT} is not installed');`;

/**
 * Modules of libraries that the bundle has in a shorter form, since each start runs all of
 * them: of undici what sends calls, without its `fetch`, sockets and caches, and of zod the
 * messages in English.
 */
export const SHORTENED = [
  {
    filter: /^undici$/,
    contents: [
      "export { default as Agent } from 'undici/lib/dispatcher/agent.js';",
      "export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';",
      "export { default as Pool } from 'undici/lib/dispatcher/pool.js';",
    ].join('\n'),
  },
  {
    filter: /^\.\.\/locales\/index\.js$/,
    contents: "export { default as en } from 'zod/v4/locales/en.js';",
  },
];

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

/**
 * The folder of a file's package. Some packages have copies of others inside, without their
 * manifests.
 */
function packageFolder(path) {
  const parts = path.split(sep);
  for (let start = parts.length; start > 0; start -= 1) {
    if (parts[start - 1] !== 'node_modules') continue;
    const isScoped = parts[start]?.startsWith('@');
    const folder = parts.slice(0, start + (isScoped ? 2 : 1)).join(sep);
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  return undefined;
}
