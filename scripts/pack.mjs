/**
 * `npm run pack`: packs everything that is published into `dist/packages/`: the command, the
 * TypeScript client and the evaluation for npm, and the wheel of the Python client. `--release` for
 * the registry: only a released command looks for newer versions there.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as buildCommand } from '../packages/cli/scripts/build.mjs';
import { build as buildClient } from '../packages/client/scripts/build.mjs';
import { build as buildEvaluate } from '../packages/evaluate/scripts/build.mjs';
import { build } from './build.mjs';
import { ROOT } from './source-files.mjs';
import { packWheel } from './wheel.mjs';

/** What is published on npm, by name. The command and the evaluation are of one bundle. */
const BUILDERS = {
  trawl: buildCommand,
  '@trawl/client': buildClient,
  '@trawl/evaluate': buildEvaluate,
};

/**
 * Packs packages for npm into `folder`, all of them when `names` is absent. Returns what npm says of
 * each: name, path, size packed and unpacked in bytes, and paths of the files inside.
 */
export async function packForNpm(folder, { names = Object.keys(BUILDERS), isRelease = false } = {}) {
  mkdirSync(folder, { recursive: true });
  const unpacked = mkdtempSync(join(tmpdir(), 'trawl-pack-'));
  try {
    const built = names.some((name) => name !== '@trawl/client') ? await build() : undefined;
    const folders = [];
    for (const name of names) {
      const outdir = join(unpacked, name);
      mkdirSync(outdir, { recursive: true });
      folders.push(await BUILDERS[name]({ outdir, isRelease, built }));
    }
    const args = ['pack', '--json', '--offline', `--pack-destination=${folder}`, ...folders];
    const output = execFileSync('npm', args, { cwd: unpacked, encoding: 'utf8' });
    return JSON.parse(output).map(({ name, filename, size, unpackedSize, files }) => ({
      name,
      path: join(folder, filename),
      size,
      unpackedSize,
      files: files.map(({ path }) => path),
    }));
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

/** Packs all of them and the wheel into `folder`, and describes each file in a line. */
export async function packAll(folder, { isRelease = false } = {}) {
  const packed = await packForNpm(folder, { isRelease });
  packWheel(folder);
  const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
  return [
    ...packed.map(
      ({ path, size, unpackedSize, files }) =>
        `${path}: ${kilobytes(size)}, unpacked ${kilobytes(unpackedSize)} in ${files.length} files`,
    ),
    `${join(folder, wheel)}: ${kilobytes(statSync(join(folder, wheel)).size)}`,
  ];
}

const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = join(ROOT, 'dist', 'packages');
  rmSync(folder, { recursive: true, force: true });
  const isRelease = process.argv.includes('--release');
  console.log((await packAll(folder, { isRelease })).join('\n'));
}
