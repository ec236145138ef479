import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from '../../scripts/build.mjs';

const MODULES = fileURLToPath(new URL('../../../../node_modules/', import.meta.url));
const run = promisify(execFile);

/** An empty project with the packed command installed. */
export interface Installed {
  readonly project: string;
  /** Folder of the installed package. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** The script behind the project's `trawl`. */
  readonly command: string;
  /** Runs in the project, with its own home and without this environment. */
  start(
    command: string,
    args: readonly string[],
    env?: NodeJS.ProcessEnv,
  ): ChildProcessWithoutNullStreams;
  remove(): void;
}

/**
 * Packs and installs without any network. The third-party packages that the manifest names, and no
 * others, are links to those of the repository, in the versions that it was tested with: npm takes
 * them for what it was asked to install.
 */
export async function installCommand(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-command-'));
  const project = join(folder, 'project');
  mkdirSync(project);
  const packageFolder = await build({ outdir: join(folder, 'package') });
  const env = { PATH: process.env.PATH, HOME: folder };
  const npm = (cwd: string, ...args: readonly string[]) =>
    run('npm', [...args, '--offline', '--no-audit', '--no-fund'], { cwd, env });
  const packed = await npm(packageFolder, 'pack', '--json', `--pack-destination=${folder}`);
  const [{ filename }] = JSON.parse(packed.stdout);
  const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const links = Object.keys(manifest.dependencies).map((name) => [name, `file:${MODULES}${name}`]);
  const dependencies = { ...Object.fromEntries(links), trawl: `file:${join(folder, filename)}` };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, dependencies }));
  // npm would run the build script of a linked package
  await npm(project, 'install', '--no-package-lock', '--ignore-scripts');
  return {
    project,
    manifest,
    command: join(project, 'node_modules', '.bin', 'trawl'),
    start: (command, args, more = {}) =>
      spawn(command, args, { cwd: project, env: { ...env, TERM: 'xterm', ...more } }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
