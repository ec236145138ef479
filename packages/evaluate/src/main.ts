import { isPrinted, leave } from '@trawl/client/terminal/leave';
import { version } from '@trawl/client/terminal/manifest';
import { endWithOutput } from '@trawl/client/terminal/standard-output';
import type { Environment } from '@trawl/client/terminal/style';
import { Command, Option } from 'commander';

/**
 * The program: measures providers on queries of one's own, or with `learn` proposes an order from
 * what was measured. Its code is loaded when it runs.
 * @param args the words after its name
 * @param name how its user called it, for its help
 */
export async function evaluateProgram(
  args: readonly string[],
  environment: Environment,
  name = 'trawl-evaluate',
): Promise<void> {
  const isLearning = args[0] === 'learn';
  const program = isLearning
    ? learnCommand(`${name} learn`, environment)
    : evaluateCommand(name, environment);
  program
    .version(version(), '-v, --version')
    .showHelpAfterError('(add --help for usage)')
    .exitOverride();
  // what other commands and tools call the option
  const words = args.map((word) => word.replace(/^--(?:provider|include)(?==|$)/, '--providers'));
  await program.parseAsync(isLearning ? args.slice(1) : words, { from: 'user' });
}

/** The program of a process of its own. Sets the exit code. */
export async function runEvaluate(
  args: readonly string[],
  environment: Environment,
  name?: string,
): Promise<void> {
  endWithOutput();
  try {
    await evaluateProgram(args, environment, name);
  } catch (error) {
    if (!isPrinted(error)) throw error;
    leave(error, args);
  }
}

const examples = (lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;

export function evaluateCommand(name: string, environment: Environment): Command {
  return new Command(name)
    .argument('[file]')
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
    .addHelpText(
      'after',
      examples([
        `${name} --set starter --providers LIST --dry-run`,
        `${name} queries.jsonl --providers LIST --html report.html`,
        `${name} queries.csv --providers LIST --model-url https://models.example.com/v1 --model NAME`,
        `${name} learn report.json --out order.json`,
      ]),
    )
    .action(async (file: string | undefined, flags) =>
      (await import('./run/evaluate.ts')).evaluate(environment, file, flags),
    );
}

export function learnCommand(name: string, environment: Environment): Command {
  return new Command(name)
    .argument('<report>', 'what evaluate printed with --json')
    .description('compare providers on the queries of an evaluation, and propose a better order')
    .option('--out <file>', 'write the order as a file for ROUTING_FILE')
    .option('--json', 'print JSON')
    .addHelpText('after', examples([`${name} report.json`, `${name} report.json --out order.json`]))
    .action(async (report: string, flags) =>
      (await import('./run/learn.ts')).learn(environment, report, flags),
    );
}
