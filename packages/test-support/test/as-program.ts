import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { Ending, ProgramOptions, Settings } from './program.ts';

/** What a program finds around it. */
export interface Surroundings extends Pick<ProgramOptions, 'settings' | 'folder'> {
  /** Its standard input; empty when absent. */
  readonly input?: string | Buffer | undefined;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Does in this process what a program does in one of its own, and returns when it ends: with an
 * environment, a folder, input and outputs of its own, none of which is a terminal. One after the
 * other. A process for each takes ten times as long; what is about a process, such as signals,
 * pipes and how it ends, has tests with one.
 */
export function asProgram(work: () => Promise<void>, surroundings: Surroundings): Promise<Ending> {
  const own = last.then(() => runAlone(work, surroundings));
  last = own.catch(() => undefined);
  return own;
}

async function runAlone(
  work: () => Promise<void>,
  { settings = {}, folder, input = '' }: Surroundings,
): Promise<Ending> {
  const stdout = collecting();
  const stderr = collecting();
  const before = { env: { ...process.env }, folder: process.cwd(), exitCode: process.exitCode };
  const restore = [
    replace('stdin', Readable.from([Buffer.from(input)])),
    replace('stdout', stdout.stream),
    replace('stderr', stderr.stream),
  ];
  setEnvironment({ PATH: process.env.PATH, HOME: folder, ...settings });
  process.chdir(folder);
  process.exitCode = undefined;
  try {
    await work();
    for (const { stream } of [stdout, stderr]) {
      stream.end();
      await once(stream, 'finish');
    }
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    setEnvironment(before.env);
    process.chdir(before.folder);
    process.exitCode = before.exitCode;
    for (const one of restore) one();
  }
}

/** In the object that is there: another one is not the environment that `os.homedir` reads. */
function setEnvironment(own: Settings): void {
  for (const name of Object.keys(process.env))
    if (own[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(own))
    if (value !== undefined) process.env[name] = value;
}

function collecting(): { readonly stream: Writable; readonly text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

/** @returns puts back what was there */
function replace(name: 'stdin' | 'stdout' | 'stderr', stream: Readable | Writable): () => void {
  const before = Object.getOwnPropertyDescriptor(process, name) ?? {};
  Object.defineProperty(process, name, { ...before, get: () => stream });
  return () => Object.defineProperty(process, name, before);
}
