import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A temporary repository with our real scripts and the files of a test. */
export class MadeUpRepository {
  readonly root = mkdtempSync(join(tmpdir(), 'trawl-repository-'));

  constructor(files: Readonly<Record<string, string>>) {
    cpSync(join(ROOT, 'scripts'), join(this.root, 'scripts'), { recursive: true });
    const manifest = {
      type: 'module',
      engines: { node: '>=20.19.0' },
      scripts: { generated: 'exit 0' },
    };
    this.write('package.json', JSON.stringify(manifest));
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  write(path: string, text: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Installs packages by linking ours; `to` = a folder of this repository. */
  install(name: string, to = join(ROOT, 'node_modules', name)): void {
    const link = join(this.root, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(to, link);
  }

  remove(path = '.'): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
  }

  /** Runs one of the scripts as a person would, in a plain environment. */
  run(script: string, args: readonly string[] = [], variables = {}): Promise<Outcome> {
    const child = spawn(process.execPath, [join(this.root, 'scripts', script), ...args], {
      cwd: this.root,
      env: { PATH: process.env.PATH, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      output.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output.stderr += chunk;
    });
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve({ code, signal, ...output }));
    });
  }
}
