import { readFault, readTextFile, systemClock } from '@trawl/base';
import { costText, counted } from '@trawl/client/terminal/output';
import { oneLine } from '@trawl/client/terminal/style';
import { isConfirmed, processTerminal, type Terminal } from '@trawl/client/terminal/terminal';
import type { SearchRun } from '@trawl/contract';
import type { DeclaredCheck } from '@trawl/server';
import type { Command } from 'commander';
import type { Runtime, ServerEntry } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';

/** `trawl providers check`, a part of the client's command that lists the providers of a server */
export function addProviderCheck(program: Command, { runtime }: ServerEntry): void {
  const providers = program.commands.find((command) => command.name() === 'providers');
  // --json behind `check` is its own
  program.enablePositionalOptions();
  providers
    ?.enablePositionalOptions()
    .command('check <file>')
    .description('check a file of declared providers: what they are sent, and what is read')
    .option('--answer <file>', 'read the rows of a recorded answer, JSON')
    .option('--query <text>', 'query to send')
    .option('--only <slug>', 'this provider of the file')
    .option('--probe', 'make one real call to each, after its price was shown')
    .option('--yes', 'make the calls of --probe without confirmation')
    .option('--json', 'print JSON')
    .action(async (file: string, options) => {
      if (!(await checkProviders(await runtime(), file, options))) process.exitCode = 1;
    });
}

interface CheckOptions {
  /** A file with an answer of the provider, as JSON. */
  readonly answer?: string;
  readonly query?: string;
  /** The provider, where the file has several. */
  readonly only?: string;
  readonly probe?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** What is known of one provider; null = no answer was read. */
interface Checked {
  readonly check: DeclaredCheck;
  readonly run: SearchRun | null;
}

/**
 * `trawl providers check`: what a file of declared providers would send, and what is read of an
 * answer; true when nothing is wrong.
 * @throws ConfigError for a file that no server would start with
 */
async function checkProviders(
  { environment, version }: Runtime,
  file: string,
  options: CheckOptions,
  terminal: Terminal = processTerminal,
): Promise<boolean> {
  const answer = options.answer === undefined ? undefined : readAnswer(options.answer);
  if (answer !== undefined && options.probe) {
    throw new UsageError('--answer and --probe exclude each other');
  }
  const { openDeclaredChecks, readConfig } = await import('@trawl/server');
  // these may name providers of another file
  const others = { SEARCH_FALLBACK: '', ROUTING_FILE: '' };
  const config = readConfig({ ...environment, ...others, PROVIDERS_FILE: file });
  const { signal } = new AbortController();
  const { query } = options;
  const opened = openDeclaredChecks(config, { version, clock: systemClock, query, signal });
  try {
    const checks = selected(opened.checks, options);
    const isAsked = options.probe === true && (await isPaid(checks, options, terminal));
    const checked = await Promise.all(
      checks.map(async (check): Promise<Checked> => {
        if (answer !== undefined) return { check, run: await check.read(answer.json) };
        return { check, run: isAsked ? await check.ask() : null };
      }),
    );
    terminal.print(options.json ? json(checked) : checked.map(text).join('\n'));
    return checked.every(({ run }) => run === null || rowsOf(run).length > 0);
  } finally {
    await opened.close();
  }
}

function readAnswer(path: string): { readonly json: unknown } {
  let written: string;
  try {
    written = readTextFile(path);
  } catch (error) {
    throw new UsageError(`--answer: ${path} ${readFault(error)}`);
  }
  try {
    return { json: JSON.parse(written) };
  } catch {
    const what = /^\s*</.test(written) ? 'is HTML or XML' : 'is not JSON';
    throw new Error(`--answer: ${path} ${what}; a declared provider answers with JSON`);
  }
}

function selected(
  checks: readonly DeclaredCheck[],
  { only, answer }: CheckOptions,
): readonly DeclaredCheck[] {
  const slugs = checks.map(({ slug }) => slug).join(', ');
  const wanted = only === undefined ? checks : checks.filter(({ slug }) => slug === only);
  if (wanted.length === 0) throw new UsageError(`--only takes one of ${slugs}`);
  if (answer !== undefined && wanted.length > 1) {
    throw new UsageError(`--answer is of one provider: name it with --only, one of ${slugs}`);
  }
  return wanted;
}

async function isPaid(
  checks: readonly DeclaredCheck[],
  { yes }: CheckOptions,
  terminal: Terminal,
): Promise<boolean> {
  const prices = checks.map(({ slug, price }) => `${slug} ${costText(price.cost_usd)}`);
  terminal.note(`One real call to each, at the price of the file: ${prices.join(', ')}\n`);
  if (yes) return true;
  const question = `Make ${counted(checks.length, 'call')}?`;
  return isConfirmed(question, 'nothing was sent', 'makes the calls', terminal);
}

const rowsOf = ({ output_payload: output }: SearchRun) => output?.results ?? [];

const json = (checked: readonly Checked[]): string =>
  `${JSON.stringify({
    providers: checked.map(({ check: { slug, request, variables, price }, run }) => ({
      slug,
      request,
      variables,
      price,
      run: run && { error: run.error, output_payload: run.output_payload },
    })),
  })}\n`;

const LONGEST = 100;

function text({ check: { slug, name, request, variables, price }, run }: Checked): string {
  const lines = [
    `${slug} (${oneLine(name)}), ${costText(price.cost_usd)} a call`,
    `  ${request.method} ${request.url}`,
    ...Object.entries(request.headers).map(([header, value]) => `  ${header}: ${value}`),
    ...(request.body === null ? [] : [`  ${JSON.stringify(request.body)}`]),
    ...variables.map((variable) => `  \${${variable}} is sent to ${new URL(request.url).host}`),
    ...(run === null ? [] : ['', ...runLines(run)]),
  ];
  return `${lines.join('\n')}\n`;
}

function runLines(run: SearchRun): readonly string[] {
  if (run.error !== null) return [`  ${run.error.code}: ${run.error.message}`];
  const rows = rowsOf(run);
  return [
    `  ${counted(rows.length, 'row')}`,
    ...rows.flatMap((row, index) => [
      `  ${index + 1}. ${oneLine(row.url ?? '')}`,
      ...Object.entries(row).flatMap(([field, value]) =>
        field === 'url' || field === 'rank' || value === null || value === undefined
          ? []
          : `     ${field}: ${shown(value)}`,
      ),
    ]),
    ...(run.output_payload?.warnings ?? []).map(({ message }) => `  - ${oneLine(message)}`),
  ];
}

function shown(value: unknown): string {
  const whole = oneLine(typeof value === 'string' ? value : JSON.stringify(value));
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST)} …` : whole;
}
