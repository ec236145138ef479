import { homedir } from 'node:os';
import { Command } from 'commander';
import { addClientCommands, leave } from './client/commands.ts';
import { EXIT } from './client/exit-codes.ts';
import { addEvaluate } from './commands/evaluate-command.ts';
import { addServerCommands } from './commands/server-commands.ts';
import { readDotEnv } from './program/dot-env.ts';
import { addExamples } from './program/examples.ts';
import { isClone, manifest, version } from './program/manifest.ts';
import type { Runtime } from './program/runtime.ts';
import { endWithOutput } from './program/standard-output.ts';
import { UsageError } from './program/usage-error.ts';
import { notifyOfUpdate, wantsNotice } from './update/update-notice.ts';

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
    const { env: environment, platform } = process;
    const isReleased = manifest()?.released === true;
    if (wantsNotice({ name: command.name(), options: command.opts(), environment, isReleased })) {
      const machine = { environment, platform, homeFolder: homeFolder(), nowMs: Date.now() };
      notifyOfUpdate(version(), machine, new URL('./update-check.js', import.meta.url));
    }
  });

  addClientCommands(program, process.env);
  addEvaluate(program, process.env);
  addServerCommands(program, { runtime, version: version() });
  addExamples(program);
  return program;
}

/** null = no home folder: `HOME` is not set, and the system does not know the user. */
function homeFolder(): string | null {
  try {
    return homedir();
  } catch {
    return null;
  }
}

endWithOutput();

try {
  await createProgram().parseAsync();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`trawl: ${message}\n`);
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.failed;
}
