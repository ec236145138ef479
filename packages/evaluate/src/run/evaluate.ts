import { randomUUID } from 'node:crypto';
import { isTrawlError, TrawlError } from '@trawl/client';
import { type CommandContext, runWithKey } from '@trawl/client/terminal/command';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { version } from '@trawl/client/terminal/manifest';
import { note, print, printJson } from '@trawl/client/terminal/output';
import { checkOutput, type OutputFile, writeOutput } from '@trawl/client/terminal/output-file';
import { progressOf } from '@trawl/client/terminal/progress';
import type { Environment } from '@trawl/client/terminal/style';
import { confirm } from '@trawl/client/terminal/terminal';
import { CONTROLS } from '../measure/answer-steps.ts';
import type { EvaluationReport } from '../measure/evaluation-report.ts';
import { judgeQueries } from '../measure/judge-queries.ts';
import { reportEvaluation } from '../measure/report-evaluation.ts';
import { RUN_FORMAT, type RunHead } from '../measure/run-rows.ts';
import { readGold } from './gold-pages.ts';
import { type EvaluateFlags, type Manner, readManner } from './manner.ts';
import { askModels, modelUsd, namesOf } from './model-calls.ts';
import { type EvaluationPlan, planEvaluation, planText } from './plan.ts';
import { searchAll } from './provider-calls.ts';
import { isReportPage, reportPage } from './report-page.ts';
import { reportText } from './report-text.ts';
import { beginRun, openRun, type RunStore } from './run-store.ts';

/**
 * `trawl evaluate`: asks providers the queries of a set through the server, and reports which one
 * is best. Rows are stored as they come, so the same command goes on where it ended.
 */
export const evaluate = (
  environment: Environment,
  file: string | undefined,
  flags: EvaluateFlags,
): Promise<void> =>
  runWithKey(environment, flags, async (context) => {
    const manner = await readManner(context, file, flags);
    const path = flags.run ?? `${manner.set.name}.run.jsonl`;
    await checkOutput({ flag: '--run', path, others: [file] });
    const page = pageAt(flags.html, [file, path]);
    if (page) await checkOutput(page);
    const fixed = fixedOf(context, manner);
    const before = openRun(path, fixed);
    const plan = await planEvaluation(context, manner, before?.index);
    note(planText(plan, manner, before && { path, calls: before.index.size }));
    if (flags.dryRun) {
      if (flags.json) printJson(planJson(plan));
      return EXIT.ok;
    }
    const isDone = plan.calls.length + plan.gold.length + (plan.model?.calls ?? 0) === 0;
    if (!isDone && !flags.yes)
      await confirm('Make these calls?', 'nothing was called', 'makes the calls');
    const store = before ?? beginRun(path, { ...newHead(), ...fixed });
    // the file of the run is there now, and may be the page by another name
    if (page) await checkOutput(page);
    note(`the rows go to ${path}\n`);
    await makeCalls(context, manner, plan, store);
    const report = await reportOf(context, manner, store);
    if (page) await writeOutput(page, reportPage(report));
    if (flags.json) printJson(report);
    else print(reportText(report, context.out));
    return EXIT.ok;
  });

/** An earlier report is replaced. */
const pageAt = (path: string | undefined, others: OutputFile['others']): OutputFile | undefined =>
  path === undefined ? undefined : { flag: '--html', path, others, mayReplace: isReportPage };

const fixedOf = ({ client }: CommandContext, { set, k, tier }: Manner) => ({
  server: client.baseUrl,
  set: { name: set.name, sha256: set.sha256 },
  k,
  tier,
});

const newHead = (): Pick<RunHead, Exclude<keyof RunHead, 'server' | 'set' | 'k' | 'tier'>> => ({
  kind: 'head',
  format: RUN_FORMAT,
  run_id: randomUUID(),
  session_id: randomUUID(),
  created_at: new Date().toISOString(),
  trawl_version: version(),
});

/**
 * The control without results comes first: where the model cannot be used, nothing was paid to a
 * provider yet.
 */
async function makeCalls(
  context: CommandContext,
  { set, providers, k, tier, models }: Manner,
  plan: EvaluationPlan,
  store: RunStore,
): Promise<void> {
  const total = plan.calls.length + plan.gold.length;
  const progress = progressOf(total, 'calls', context.environment);
  let done = 0;
  const onRow = () => {
    done += 1;
    progress.reached(done);
  };
  const asking = { store, signal: context.signal, onRow: () => {} };
  try {
    if (models) await askModels(set.queries, ['null'], { ...asking, models });
    await searchAll(context, plan.calls, { k, tier }, { store, prices: plan.prices, onRow });
    await readGold(context, plan.gold, { store, onRow });
    if (models) await askModels(set.queries, [...providers, ...CONTROLS], { ...asking, models });
  } catch (error) {
    progress.end();
    note(
      `${store.index.size} rows are kept in ${store.path}: the same command goes on from there\n`,
    );
    // calls were sent and are paid, so this is not `stoppedEarly`
    throw context.signal.aborted && !isTrawlError(error)
      ? new TrawlError('aborted', 'stopped')
      : error;
  }
  progress.end();
}

async function reportOf(
  context: CommandContext,
  { set, providers, seed, models }: Manner,
  { head, index }: RunStore,
): Promise<EvaluationReport> {
  const names = models && namesOf(models);
  const { judged, faults } = judgeQueries(set.queries, index, providers, names);
  return reportEvaluation({
    ...{ head, set, judged, providers, seed, faults },
    rows: [...index.values()],
    classified: set.classified,
    inUse: set.inUse,
    models: names,
    modelUsd: (row) => modelUsd(models, row),
    ledger: await ledgerOf(context, head),
  });
}

/** What the server booked; null where the key may not read sessions. */
async function ledgerOf(
  { client, signal }: CommandContext,
  { session_id }: RunHead,
): Promise<EvaluationReport['cost']['ledger']> {
  try {
    const query = { session_id, include: 'summary' } as const;
    const { sessions } = await client.listSessions(query, { signal });
    const summary = sessions.find(({ id }) => id === session_id)?.summary;
    return summary ? { usd: summary.cost_usd, unpriced_calls: summary.unpriced_calls } : null;
  } catch (error) {
    if (isTrawlError(error)) return null;
    throw error;
  }
}

const planJson = ({ calls, gold, searchUsd, goldUsd, model }: EvaluationPlan) => ({
  search_calls: calls.length,
  search_usd: searchUsd,
  gold_pages: gold.length,
  gold_usd: goldUsd,
  model: model && {
    calls_at_most: model.calls,
    tokens_in_at_most: model.tokensIn,
    tokens_out_at_most: model.tokensOut,
    usd_at_most: model.usd,
  },
});
