import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type PackageName, type Packed, packForNpm } from '../../../scripts/pack.ts';
import { ROOT } from '../../../scripts/source-files.mjs';
import { byForm } from './form.ts';
import type { Ending } from './program.ts';

const run = promisify(execFile);

/** Packages of ours, packed and installed into a project without this repository. */
export interface Installed {
  readonly packed: readonly Packed[];
  /** The path of a packed file. */
  fileOf(name: PackageName): string;
  /** The project, whose path has a space and letters outside of ASCII. */
  readonly project: string;
  /** The folder of an installed package. */
  folderOf(name: PackageName): string;
  manifestOf(name: PackageName): Readonly<Record<string, unknown>>;
  write(file: string, text: string): void;
  /** Starts a command in the project, with its own home and without this environment. */
  start(
    command: string,
    args: readonly string[],
    env?: NodeJS.ProcessEnv,
  ): ChildProcessWithoutNullStreams;
  /** Runs a command in the same way to its end. */
  run(command: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ending>;
  /** Runs a file of the project; returns its output. */
  node(file: string, env?: NodeJS.ProcessEnv): Promise<string>;
  /** Runs the compiler on files of the project; returns its errors. */
  typeCheck(compilerOptions: object, files: readonly string[]): Promise<string>;
  remove(): void;
}

/** Packs packages, and installs them into an empty project, with these `others`. */
export async function installPackages(
  names: readonly PackageName[],
  others: readonly string[] = [],
): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'trawl installed für '));
  const project = join(folder, 'ein Projekt');
  mkdirSync(project);
  const packed = await packForNpm(folder, names);
  const files = new Map(packed.map(({ name, filename }) => [name, join(folder, filename)]));
  await byForm({ small: link, full: install })({ project, files, others });
  const env = { PATH: process.env.PATH, HOME: folder, TERM: 'xterm' };
  const start: Installed['start'] = (command, args, more = {}) =>
    spawn(command, args, { cwd: project, env: { ...env, ...more } });
  const folderOf = (name: PackageName) => join(project, 'node_modules', name);
  return {
    packed,
    fileOf: (name) => join(folder, packed.find((each) => each.name === name)?.filename ?? ''),
    project,
    folderOf,
    manifestOf: (name) => readJson(join(folderOf(name), 'package.json')),
    write: (file, text) => writeFileSync(join(project, file), text),
    start,
    run: (...args) => ended(start(...args)),
    node: async (file, more = {}) =>
      (await run(process.execPath, [file], { cwd: project, env: { ...env, ...more } })).stdout,
    typeCheck: async (compilerOptions, files) => {
      const options = { strict: true, noEmit: true, skipLibCheck: false, types: [] };
      writeJson(join(project, 'tsconfig.json'), {
        compilerOptions: { ...options, ...compilerOptions },
        files,
      });
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
      return run(process.execPath, [tsc, '--singleThreaded', '-p', project]).then(
        ({ stdout }) => stdout,
        (error: { stdout: string }) => error.stdout,
      );
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Installation {
  readonly project: string;
  /** The packed files of our packages. */
  readonly files: ReadonlyMap<PackageName, string>;
  readonly others: readonly string[];
}

/**
 * As npm installs them, which takes 14 s of processor time. Packages of others are those of the
 * lock file of the repository, from the cache that `npm ci` has filled.
 */
async function install({ project, files, others }: Installation): Promise<void> {
  const lock = readJson(join(ROOT, 'package-lock.json'));
  const packagesOfOthers = Object.entries(lock.packages).filter(([path]) =>
    /^node_modules\/(?!@trawl\/)/.test(path),
  );
  const dependencies = Object.fromEntries([
    ...[...files].map(([name, file]) => [name, `file:${file}`]),
    ...others.map((name) => [name, lock.packages[`node_modules/${name}`].version]),
  ]);
  writeJson(join(project, 'package.json'), { private: true, type: 'module', dependencies });
  writeJson(join(project, 'package-lock.json'), {
    ...lock,
    packages: { '': { dependencies }, ...Object.fromEntries(packagesOfOthers) },
  });
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: project,
  });
}

/**
 * Ours unpacked, and next to them links to the packages that their manifests name, and no others:
 * one that is not named is missing, as it is after `npm install`.
 */
async function link({ project, files, others }: Installation): Promise<void> {
  writeJson(join(project, 'package.json'), { private: true, type: 'module' });
  const modules = join(project, 'node_modules');
  const linked = new Set(others);
  mkdirSync(join(modules, '.bin'), { recursive: true });
  for (const [name, file] of files) {
    const folder = join(modules, name);
    mkdirSync(folder, { recursive: true });
    await run('tar', ['-xzf', file, '-C', folder, '--strip-components=1']);
    const {
      bin = {},
      dependencies = {},
      optionalDependencies = {},
    } = readJson(join(folder, 'package.json'));
    for (const [command, path] of Object.entries<string>(bin)) {
      chmodSync(join(folder, path), 0o755);
      symlinkSync(join(folder, path), join(modules, '.bin', command));
    }
    for (const one of Object.keys({ ...dependencies, ...optionalDependencies })) linked.add(one);
  }
  for (const name of linked) {
    if (existsSync(join(modules, name))) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<Ending> {
  child.stdin.end();
  const texts = [child.stdout, child.stderr].map(async (stream) =>
    Buffer.concat(await stream.toArray()).toString(),
  );
  const [code] = await once(child, 'close');
  const [stdout = '', stderr = ''] = await Promise.all(texts);
  return { code, stdout, stderr };
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const writeJson = (path: string, value: object) => writeFileSync(path, JSON.stringify(value));
