import { run } from '@trawl/client/terminal/command';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { CommandError } from '@trawl/client/terminal/failure';
import { commandHere, manifest } from '@trawl/client/terminal/manifest';
import type { Environment } from '@trawl/client/terminal/style';
import type { Command } from 'commander';

/** `trawl evaluate`, the command of a package of its own, which reads `--help` too */
export function addEvaluate(program: Command, environment: Environment): void {
  program
    .enablePositionalOptions()
    .command('evaluate [arguments...]')
    .description('measure which provider is best on your queries, and learn an order from that')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action((words: string[]) => evaluate(words, environment));
}

/** Passes the words after `evaluate` to its package, if that is installed. */
async function evaluate(words: readonly string[], environment: Environment): Promise<void> {
  const program = await evaluatePackage();
  if (program) return program.evaluateProgram(words, environment, `${commandHere()} evaluate`);
  await run(environment, { json: words.includes('--json') }, async () => {
    throw new CommandError(
      EXIT.failed,
      'not_installed',
      'evaluate is a package of its own, and is not installed',
      manifest()?.released
        ? 'npm install @trawl/evaluate'
        : 'it is not published yet: "npm run pack" in a clone makes its file in dist/packages, for npm install',
    );
  });
}

/** Gives the command the options of the package, where that is, for shells to complete. */
export async function describeEvaluate(command: Command, environment: Environment): Promise<void> {
  const program = await evaluatePackage();
  if (!program) return;
  for (const option of program.evaluateCommand('evaluate', environment).options) {
    command.addOption(option);
  }
  command.addCommand(program.learnCommand('learn', environment));
}

/** undefined = it is not installed. */
const evaluatePackage = () =>
  import('@trawl/evaluate/program').catch((error: Error) => {
    // as Node.js says it
    if (!error.message.startsWith("Cannot find package '@trawl/evaluate'")) throw error;
  });
