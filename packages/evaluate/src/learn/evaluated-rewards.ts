import { isJsonObject, TOPICS, type Topic, UNROUTED_TOPICS } from '@trawl/contract';
import { type EvaluationReport, REPORT_FORMAT } from '../measure/evaluation-report.ts';
import { type QueryRewards, type Reward, rewardOf } from './query-rewards.ts';

/** All queries; those that could be judged; of these, those on topics without an order. */
export interface RewardCounts {
  readonly queries: number;
  readonly judged: number;
  readonly unrouted: number;
}

/** What an evaluation found, as rewards of its queries. */
export interface EvaluatedRewards {
  readonly byTopic: ReadonlyMap<Topic, readonly QueryRewards[]>;
  readonly counts: RewardCounts;
  /** The providers that auto-routing asked on a topic, best first. */
  readonly inUse: EvaluationReport['in_use'];
  /** The first and the last call. */
  readonly from: string;
  readonly to: string;
  /** Of the set, and whether its rows were made up. */
  readonly name: string;
}

/** @throws Error where the text is not the JSON of `trawl evaluate --json` */
export function evaluatedRewards(text: string): EvaluatedRewards {
  const report = readReport(text);
  const byTopic = new Map<Topic, QueryRewards[]>();
  const counts = { queries: report.scores.length, judged: 0, unrouted: 0 };
  for (const { topic: name, providers } of report.scores) {
    const rewards = rewardsOf(providers);
    const topic = TOPICS.find((known) => known === name);
    if (rewards === null || topic === undefined) continue;
    counts.judged += 1;
    if (UNROUTED_TOPICS.has(topic)) counts.unrouted += 1;
    else byTopic.set(topic, [...(byTopic.get(topic) ?? []), rewards]);
  }
  const { set, rows, first_call_at: from, last_call_at: to } = report;
  const isSimulated = rows.simulated > rows.real;
  return {
    // a report of a version that did not ask for it lacks the order in use
    ...{ byTopic, counts, inUse: report.in_use ?? {} },
    ...{ from: from ?? report.created_at, to: to ?? report.created_at },
    name: `${set.name}${isSimulated ? ', SIMULATED rows' : ''}`,
  };
}

function readReport(text: string): EvaluationReport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isJsonObject(value) || value.format !== REPORT_FORMAT || !Array.isArray(value.scores)) {
    throw new Error(`it is not ${REPORT_FORMAT}: write it with trawl evaluate --json`);
  }
  return value as unknown as EvaluationReport;
}

/** Gold pages say more than agreement. null where fewer than two providers can be compared. */
function rewardsOf(
  providers: EvaluationReport['scores'][number]['providers'],
): QueryRewards | null {
  const isGold = providers.some(({ ndcg }) => ndcg !== null);
  const found = providers.flatMap((one): readonly [string, Reward][] => {
    const quality = isGold ? one.ndcg : one.agreed_ndcg;
    // a call that was not sent says nothing about the provider
    if (quality === null || one.latency_ms === null) return [];
    return [[one.provider, rewardOf(quality, one.latency_ms)]];
  });
  if (found.length < 2) return null;
  return { label: isGold ? 'gold' : 'agreement', byProvider: new Map(found) };
}
