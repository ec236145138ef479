import { basename } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { isoTime, readFault, readTextFile, systemClock } from '@trawl/base';
import {
  type ConfidenceInterval,
  type EvaluatedRun,
  type LabelledQuery,
  measuredRanking,
  type PlannedEvaluation,
  type ProviderScore,
  planEvaluation,
  readQueryFile,
  scoreRuns,
  type TopicScore,
} from '@trawl/routing-lab';
import { readConfig, withStoredKeys } from '@trawl/server';
import { note, printJson } from '../client/output.ts';
import { checkOutput, type OutputFile, writeOutput } from '../program/output-file.ts';
import type { Runtime } from '../program/runtime.ts';
import { type Painter, styleOf } from '../program/style.ts';
import { print, table } from '../program/table.ts';
import { UsageError } from '../program/usage-error.ts';

export interface EvaluateOptions {
  readonly json?: boolean;
  readonly providers: string;
  readonly out?: string;
  readonly seed: string;
  readonly yes?: boolean;
}

/**
 * `trawl routing evaluate`: runs labelled queries through providers, scores them and writes the
 * order as a routing file.
 */
export async function evaluateFile(
  { environment }: Runtime,
  file: string,
  options: EvaluateOptions,
): Promise<void> {
  const seed = readSeed(options.seed);
  const queries = readQueries(file);
  const { config } = await withStoredKeys(readConfig(environment));
  const plan = planEvaluation(config, queries, readNames(options.providers));
  // check before anything is paid
  const out = routingFileAt(options.out, file);
  if (out) await checkOutput(out);
  note(`${priceText(queries, plan)}\n`);
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
  if (out) await writeOutput(out, `${JSON.stringify(ranking, null, 2)}\n`);
  if (options.json) printJson(evaluationJson(scores, runs, ranking));
  else print(evaluationText(scores, runs, styleOf(process.stdout, environment).bold));
  if (out) note(`${out.path} is written; use it with ROUTING_FILE\n`);
}

/** An earlier routing file is replaced. */
const routingFileAt = (path: string | undefined, queries: string): OutputFile | undefined =>
  path === undefined
    ? undefined
    : { flag: '--out', path, others: [queries], mayReplace: isRoutingFile };

function isRoutingFile(text: string): boolean {
  try {
    return 'topics' in JSON.parse(text);
  } catch {
    return false;
  }
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

function evaluationText(
  scores: readonly TopicScore[],
  runs: readonly EvaluatedRun[],
  bold: Painter,
): string {
  return [
    ...scores.flatMap((score) => [
      '',
      bold(`${score.topic}: ${score.queries} queries, ${score.withTruth} with known pages`),
      topicTable(score),
    ]),
    '',
    `95 % intervals are in brackets. Paid: ${paidText(runs)}.`,
    '',
  ].join('\n');
}

function topicTable({ providers }: TopicScore): string {
  return table(
    [
      ['provider', 12],
      ['nDCG@5', 0.25],
      ['success@5', 0.25],
      ['agreement', 0.25],
      ['p50/p95 ms', 12],
      ['cost', 10],
      ['failures', 0.25],
    ],
    providers.map((provider) => [
      provider.provider,
      intervalText(provider.ndcgAt5),
      intervalText(provider.successAt5),
      intervalText(provider.agreement),
      `${provider.latencyMs.p50 ?? '-'}/${provider.latencyMs.p95 ?? '-'}`,
      costText(provider.cost),
      failureText(provider.failures),
    ]),
  );
}

function intervalText(interval: ConfidenceInterval | null): string {
  if (interval === null) return '-';
  return `${interval.mean.toFixed(2)} (${interval.low.toFixed(2)}-${interval.high.toFixed(2)})`;
}

const costText = ({ knownUsd, unknownCalls }: ProviderScore['cost']): string =>
  `$${knownUsd.toFixed(4)}${unknownCalls > 0 ? ` + ${unknownCalls}?` : ''}`;

const failureText = (failures: ProviderScore['failures']): string =>
  Object.entries(failures)
    .map(([code, count]) => `${count} ${code}`)
    .join(', ') || 'none';

function paidText(runs: readonly EvaluatedRun[]): string {
  const known = runs.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  const unknown = runs.filter(({ costUsd }) => costUsd === null).length;
  return `$${known.toFixed(4)}${unknown > 0 ? ` and the unknown price of ${unknown} ${unknown === 1 ? 'call' : 'calls'}` : ''}`;
}

function evaluationJson(
  scores: readonly TopicScore[],
  runs: readonly EvaluatedRun[],
  ranking: ReturnType<typeof measuredRanking>,
) {
  return {
    calls: runs.length,
    cost_usd: runs.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
    unknown_cost_calls: runs.filter(({ costUsd }) => costUsd === null).length,
    topics: scores.map(({ topic, queries, withTruth, providers }) => ({
      topic,
      queries,
      with_truth: withTruth,
      providers: providers.map((score) => ({
        provider: score.provider,
        ndcg_at_5: score.ndcgAt5,
        success_at_5: score.successAt5,
        agreement: score.agreement,
        latency_ms: score.latencyMs,
        cost_usd: score.cost.knownUsd,
        unknown_cost_calls: score.cost.unknownCalls,
        failures: score.failures,
      })),
    })),
    ranking,
  };
}
