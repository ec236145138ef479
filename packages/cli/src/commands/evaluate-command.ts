import type { Environment } from '@trawl/client/terminal/style';
import { type Command, Option } from 'commander';

/** The command that measures providers on queries of one's own, through a server. */
export function addEvaluate(program: Command, environment: Environment): void {
  program
    .command('evaluate [file]')
    .description('measure which provider is best on your queries: JSON lines or CSV')
    .option('--set <name>', 'a set by name instead of a file: starter, or a public one')
    .requiredOption('--providers <list>', 'comma list of the providers to measure')
    .option('--k <n>', 'how many of the first rows count', '5')
    .addOption(
      new Option('--tier <tier>', 'how much to ask of each provider')
        .choices(['default', 'extended', 'max'])
        .default('default'),
    )
    .option('--sample <n>', 'draw this many of the queries')
    .option('--seed <n>', 'seed of the sample and of the intervals', '1')
    .option('--run <file>', 'where the rows are kept; an existing run goes on')
    .option('--check-gold', 'fetch the gold pages: those that are gone do not count')
    .option('--model-url <url>', 'address of a model with an OpenAI-compatible API')
    .option('--model <name>', 'answer from the first rows; the key is read from MODEL_API_KEY')
    .option('--model-price <in,out>', 'US dollars per million tokens')
    .option('--judge-url <url>', 'address of the judge; that of the model when absent')
    .option('--judge <name>', 'grade the answers; the same model when absent')
    .option('--judge-price <in,out>', 'US dollars per million tokens')
    .option('--model-timeout <seconds>', 'longest wait for one answer of a model', '60')
    .option('--model-thinking <tokens>', 'what a model may write for itself before each answer')
    .option('--html <file>', 'write the report as one page')
    .option('--dry-run', 'show the price, and call nothing')
    .option('--yes', 'make the calls without a question')
    .option('--timeout <seconds>', 'longest wait for one request')
    .option('--json', 'print the report as JSON')
    .action(async (file: string | undefined, flags) =>
      (await import('../evaluate/evaluate.ts')).evaluate(environment, file, flags),
    );
}
