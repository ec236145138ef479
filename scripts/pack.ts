/**
 * `npm run pack`: packs everything that is published into `dist/packages/`. `-- --release` for the
 * registries: only a released command looks for newer versions there.
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
import { packWheel } from './wheel.ts';

/** What is published on npm. */
export const NAMES = ['trawl', '@trawl/client', '@trawl/evaluate'] as const;

export type PackageName = (typeof NAMES)[number];

/** A packed package, as npm describes it. */
export interface Packed {
  readonly name: PackageName;
  readonly filename: string;
  /** In bytes. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** Packs packages for npm into a folder, in this order. */
export async function packForNpm(
  folder: string,
  names: readonly PackageName[] = NAMES,
  isRelease = false,
): Promise<readonly Packed[]> {
  const unpacked = mkdtempSync(join(tmpdir(), 'trawl-pack-'));
  try {
    mkdirSync(folder, { recursive: true });
    // the command and the evaluation are of one bundle
    const built = await build();
    for (const name of names) {
      const outdir = join(unpacked, name);
      if (name === 'trawl') await buildCommand({ outdir, isRelease, built });
      else if (name === '@trawl/client') await buildClient({ outdir });
      else buildEvaluate({ outdir, built });
    }
    const args = ['pack', '--json', '--offline', `--pack-destination=${folder}`];
    const folders = names.map((name) => join(unpacked, name));
    const output = execFileSync('npm', [...args, ...folders], { cwd: unpacked, encoding: 'utf8' });
    return JSON.parse(output);
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

/** Packs all of them and the wheel into a folder, and describes each file in a line. */
export async function packAll(folder: string, isRelease: boolean): Promise<string> {
  const packed = await packForNpm(folder, NAMES, isRelease);
  packWheel(folder);
  return readdirSync(folder)
    .map((file) => {
      const { unpackedSize, files } = packed.find(({ filename }) => filename === file) ?? {};
      const unpacked = unpackedSize ? `, unpacked ${kilobytes(unpackedSize)}` : '';
      const count = files ? `, ${files.length} files` : '';
      return `${file}: ${kilobytes(statSync(join(folder, file)).size)}${unpacked}${count}`;
    })
    .join('\n');
}

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`;

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = join(ROOT, 'dist/packages');
  rmSync(folder, { recursive: true, force: true });
  console.log(await packAll(folder, process.argv.includes('--release')));
}
