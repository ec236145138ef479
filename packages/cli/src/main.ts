import { readDotEnv } from '@trawl/client/terminal/dot-env';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { leave } from '@trawl/client/terminal/leave';
import { isClone, manifest, version } from '@trawl/client/terminal/manifest';
import { endWithOutput } from '@trawl/client/terminal/standard-output';
import { Command } from 'commander';
import { addClientCommands } from './client/commands.ts';
import { addEvaluate } from './commands/evaluate-command.ts';
import { addServerCommands } from './commands/server-commands.ts';
import { addExamples } from './program/examples.ts';
import { addHelp } from './program/help.ts';
import type { Runtime } from './program/runtime.ts';
import { notifyOfUpdate } from './program/update-notice.ts';
import { UsageError } from './program/usage-error.ts';

const runtime = async (): Promise<Runtime> => {
  const { readEnvironment } = await import('@trawl/server');
  return {
    environment: readEnvironment(),
    dotEnvNames: Object.keys(readDotEnv()),
    version: version(),
    isClone: isClone(),
    // bundled next to this file
    workerUrl: new URL('./recorder-worker.js', import.meta.url),
    extractWorkerUrl: new URL('./extract-worker.js', import.meta.url),
  };
};

function createProgram(): Command {
  const program = new Command('trawl')
    .description('Web search and page fetch router.')
    .version(version(), '-v, --version')
    .showHelpAfterError('(add --help for usage)')
    .exitOverride((mistake) => leave(mistake, process.argv));

  program.hook('postAction', (_program, command) => {
    // until it is released, the registry's package of this name may belong to someone else
    if (manifest()?.released !== true) return;
    const finished = { name: command.name(), options: command.opts(), version: version() };
    notifyOfUpdate({ ...finished, environment: process.env });
  });

  addClientCommands(program, process.env);
  addEvaluate(program, process.env);
  addServerCommands(program, { runtime, version: version(), environment: process.env });
  addHelp(program);
  addExamples(program);
  return program;
}

endWithOutput();

try {
  await createProgram().parseAsync();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`trawl: ${message}\n`);
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
}
