import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from '../../scripts/build.mjs';

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const run = promisify(execFile);

/** An empty project with the packed package installed. */
export interface Installed {
  /** Paths of the packed files. */
  readonly packageFolder: string;
  readonly tarball: string;
  readonly project: string;
  write(name: string, text: string): void;
  /** Runs a file of the project; returns its output. */
  node(file: string, environment?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs the compiler on the project; returns its errors. */
  typeCheck(compilerOptions: object, files: readonly string[]): Promise<string>;
  /** Links packages of this repository into the project. */
  link(...packages: readonly string[]): void;
  remove(): void;
}

export async function installPackage(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-package-'));
  const project = join(folder, 'project');
  mkdirSync(project);
  const packageFolder = await build({ outdir: join(folder, 'package') });
  const npm = (cwd: string, ...args: readonly string[]) =>
    run(
      'npm',
      [...args, '--offline', '--no-audit', '--no-fund', `--cache=${join(folder, 'cache')}`],
      { cwd },
    );
  await npm(packageFolder, 'pack', `--pack-destination=${folder}`);
  const name = readdirSync(folder).find((each) => each.endsWith('.tgz')) ?? '';
  const tarball = join(folder, name);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  await npm(project, 'install', tarball);
  return {
    packageFolder,
    tarball,
    project,
    write: (file, text) => writeFileSync(join(project, file), text),
    node: async (file, environment = {}) => {
      const env = { PATH: process.env.PATH, HOME: project, ...environment };
      return (await run(process.execPath, [file], { cwd: project, env })).stdout;
    },
    typeCheck: async (compilerOptions, files) => {
      const options = {
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        types: [],
        ...compilerOptions,
      };
      writeFileSync(
        join(project, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: options, files }),
      );
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      return run(process.execPath, [tsc, '-p', project]).then(
        ({ stdout }) => stdout,
        (error: { stdout: string }) => error.stdout,
      );
    },
    link: (...packages) => {
      for (const name of packages) {
        const place = join(project, 'node_modules', name);
        mkdirSync(dirname(place), { recursive: true });
        symlinkSync(join(ROOT, 'node_modules', name), place, 'junction');
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
