import { readDotEnv } from '@trawl/client/terminal/dot-env';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { isPrinted, leave } from '@trawl/client/terminal/leave';
import { isClone, manifest, version } from '@trawl/client/terminal/manifest';
import { endWithOutput } from '@trawl/client/terminal/standard-output';
import { Command } from 'commander';
import { addExamples } from '../program/examples.ts';
import { addHelp } from '../program/help.ts';
import type { Runtime } from '../program/runtime.ts';
import { notifyOfUpdate } from '../program/update-notice.ts';
import { UsageError } from '../program/usage-error.ts';
import { addClientCommands, addServerCommands } from './all.ts';
import { addEvaluate } from './evaluate.ts';

/** The scripts of the program's threads. */
export type Workers = Pick<Runtime, 'workerUrl' | 'extractWorkerUrl'>;

async function runtimeOf(workers: Workers): Promise<Runtime> {
  const { readEnvironment } = await import('@trawl/server');
  return {
    environment: readEnvironment(),
    dotEnvNames: Object.keys(readDotEnv()),
    version: version(),
    isClone: isClone(),
    ...workers,
  };
}

function createProgram(workers: Workers): Command {
  const program = new Command('trawl')
    .description('Web search and page fetch router.')
    .version(version(), '-v, --version')
    .showHelpAfterError('(add --help for usage)')
    .exitOverride();

  program.hook('postAction', (_program, command) => {
    // until it is released, the registry's package of this name may belong to someone else
    if (manifest()?.released !== true) return;
    const finished = { name: command.name(), options: command.opts(), version: version() };
    notifyOfUpdate({ ...finished, environment: process.env });
  });

  addClientCommands(program, process.env);
  addEvaluate(program, process.env);
  addServerCommands(program, {
    runtime: () => runtimeOf(workers),
    version: version(),
    environment: process.env,
  });
  addHelp(program);
  addExamples(program);
  return program;
}

/** Does what the words of the command line say, and sets the exit code. Never rejects. */
export async function runTrawl(words: readonly string[], workers: Workers): Promise<void> {
  endWithOutput();
  try {
    await createProgram(workers).parseAsync(words, { from: 'user' });
  } catch (error) {
    if (isPrinted(error)) {
      leave(error, words);
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`trawl: ${message}\n`);
    process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
  }
}
