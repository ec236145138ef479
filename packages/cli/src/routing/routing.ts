import { access, constants, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { isoTime, readFault, readTextFile, systemClock } from '@trawl/base';
import { explainRouting, type PlannedEvaluation, planEvaluation, readConfig } from '@trawl/server';
import { type LabelledQuery, measuredRanking, readQueryFile, scoreRuns } from '@trawl/topics';
import type { Runtime } from '../program/runtime.ts';
import { styleOf } from '../program/style.ts';
import { print } from '../program/table.ts';
import { UsageError } from '../program/usage-error.ts';
import {
  evaluationJson,
  evaluationText,
  explanationJson,
  explanationText,
} from './routing-output.ts';

interface Output {
  readonly json?: boolean;
}

/** `trawl routing explain`: what auto-routing would choose for a query, and why. */
export async function explainQuery(
  { environment }: Runtime,
  query: string,
  { json }: Output,
): Promise<void> {
  if (query.trim() === '') throw new UsageError('QUERY is empty');
  const explanation = await explainRouting(readConfig(environment), query);
  if (json) printJson(explanationJson(explanation));
  else print(explanationText(explanation, styleOf(process.stdout, environment).bold));
}

export interface EvaluateOptions extends Output {
  readonly providers: string;
  readonly out?: string;
  readonly seed: string;
  readonly yes?: boolean;
}

/** `trawl routing evaluate`: runs labelled queries through providers, scores them and writes the order as a routing file. */
export async function evaluateFile(
  { environment }: Runtime,
  file: string,
  options: EvaluateOptions,
): Promise<void> {
  const seed = readSeed(options.seed);
  const queries = readQueries(file);
  const config = readConfig(environment);
  const plan = planEvaluation(config, queries, readNames(options.providers));
  // check before anything is paid
  if (options.out !== undefined) await checkWritable(options.out);
  note(priceText(queries, plan));
  if (!options.yes) await confirm();

  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  const runs = await plan.run({ signal: stopping.signal, onProgress: showProgress });
  process.off('SIGINT', stop);
  if (stopping.signal.aborted) throw new Error('stopped; nothing was written');

  const scores = scoreRuns(queries, runs, plan.providers, seed);
  const ranking = measuredRanking(scores, {
    version: `measured ${isoTime(systemClock.now()).slice(0, 10)}`,
    source: `trawl routing evaluate ${basename(file)}`,
  });
  if (options.out !== undefined) {
    await writeFile(options.out, `${JSON.stringify(ranking, null, 2)}\n`);
  }
  if (options.json) printJson(evaluationJson(scores, runs, ranking));
  else print(evaluationText(scores, runs, styleOf(process.stdout, environment).bold));
  if (options.out !== undefined) note(`${options.out} is written; use it with ROUTING_FILE`);
}

function readQueries(file: string): readonly LabelledQuery[] {
  const text = textOf(file);
  try {
    return readQueryFile(text);
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

function textOf(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    throw new Error(`${file} ${readFault(error)}`);
  }
}

const readNames = (list: string): readonly string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

function readSeed(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError('--seed takes a whole number');
}

async function checkWritable(path: string): Promise<void> {
  const place = await stat(path).catch(() => undefined);
  if (place?.isDirectory()) throw new Error(`--out: ${path} is a folder; name a file`);
  await access(place ? path : dirname(resolve(path)), constants.W_OK).catch(() => {
    throw new Error(`--out: ${path} cannot be written; check the path and its permissions`);
  });
}

function priceText(
  queries: readonly LabelledQuery[],
  { providers, calls, totalUsd }: PlannedEvaluation,
) {
  const price =
    totalUsd === null
      ? 'the price list lacks the price of some'
      : `about $${totalUsd.toFixed(4)} by the price list`;
  return `${queries.length} queries × ${providers.length} providers (${providers.join(', ')}) = ${calls.length} calls, ${price}`;
}

async function confirm(): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new Error('the price cannot be confirmed without a terminal; add --yes to run anyway');
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question('Send them with your keys? [y/N] ');
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error('not confirmed; nothing was sent');
}

function showProgress(done: number, total: number): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r${done} of ${total} calls${done === total ? '\n' : ''}`);
}

const printJson = (value: unknown): void => print(`${JSON.stringify(value)}\n`);
/** Notes go to stderr, since stdout may be piped. */
const note = (text: string): void => void process.stderr.write(`${text}\n`);
