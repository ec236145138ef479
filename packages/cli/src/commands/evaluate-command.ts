import type { Environment } from '@trawl/client/terminal/style';
import type { Command } from 'commander';

/** The command of a package of its own, which reads the words behind it, `--help` too. */
export function addEvaluate(program: Command, environment: Environment): void {
  program
    .enablePositionalOptions()
    .command('evaluate [arguments...]')
    .description('measure which provider is best on your queries, and learn an order from that')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (words: string[]) =>
      (await import('../evaluate/evaluate.ts')).evaluate(words, environment),
    );
}
