import type { Verdict } from '@trawl/contract';
import { comparableUrl } from '@trawl/providers';
import type { PairedQuery, PairedRow, PairedRun } from '@trawl/store';
import { agreement, ndcg } from '../statistics/relevance.ts';

/**
 * From what the quality of the runs of a query is known, the strongest first. `feedback`: results
 * that were marked. `reads`: hosts that the session fetched afterwards. `agreement`: hosts that the
 * other runs have too. `gold`: pages that a set of queries names.
 */
export const LABELS = ['gold', 'feedback', 'reads', 'agreement'] as const;
export type Label = (typeof LABELS)[number];

/** What one run was worth. */
export interface Reward {
  /** 0 to 1; 0 where it failed or found nothing. */
  readonly quality: number;
  readonly seconds: number;
  /** Quality per second. */
  readonly value: number;
}

/** The runs of one query, all judged in the same way. */
export interface QueryRewards {
  readonly label: Label;
  readonly byProvider: ReadonlyMap<string, Reward>;
}

/**
 * What a search costs its caller besides the provider's time, in seconds. With it an answer out of
 * a cache is not worth without limit, and halving a short time counts less than halving a long one.
 */
const OWN_SECONDS = 1;

/** Two runs always agree with each other equally, so agreement compares three or more. */
const AGREEING_MIN = 3;

/** The rewards of a query's runs; null where nothing says how good they were, or only one ran. */
export function queryRewards({ runs, urlsRead }: PairedQuery): QueryRewards | null {
  if (runs.length < 2) return null;
  const [label, qualities] =
    labelled('feedback', byFeedback(runs)) ??
    labelled('reads', byReads(runs, urlsRead)) ??
    labelled('agreement', byAgreement(runs)) ??
    [];
  if (label === undefined || qualities === undefined) return null;
  const rewards = runs.map(({ provider, latencyMs }, index): [string, Reward] => {
    return [provider, rewardOf(qualities[index] ?? 0, latencyMs)];
  });
  return { label, byProvider: new Map(rewards) };
}

export function rewardOf(quality: number, latencyMs: number): Reward {
  const seconds = latencyMs / 1_000;
  return { quality, seconds, value: quality / (OWN_SECONDS + seconds) };
}

/** One number for each run. */
type Qualities = readonly number[];

const labelled = (label: Label, qualities: Qualities | null): [Label, Qualities] | null =>
  qualities && [label, qualities];

/**
 * Of the marked results of a run, the share that was used or right. null without such a result:
 * that others are wrong does not say which run was good.
 */
function byFeedback(runs: readonly PairedRun[]): Qualities | null {
  const shares = runs.map(({ rows }) => {
    const good = count(rows, 'used') + count(rows, 'right');
    return good === 0 ? 0 : good / (good + count(rows, 'wrong'));
  });
  return shares.some((share) => share > 0) ? shares : null;
}

const count = (rows: readonly PairedRow[], verdict: Verdict): number =>
  rows.filter((row) => row.verdict === verdict).length;

/**
 * How high the hosts that were read are among a run's first rows; null where no run has one of
 * them.
 */
function byReads(runs: readonly PairedRun[], urlsRead: readonly string[]): Qualities | null {
  const hosts = new Set(urlsRead.flatMap((url) => hostOf(url) ?? []));
  const truths = [...hosts].map((domain) => ({ domain }));
  const gains = runs.map(({ rows }) => ndcg(urlsOf(rows), truths));
  return gains.some((gain) => gain > 0) ? gains : null;
}

/** How far the other runs have the same hosts. A result that was marked wrong agrees with none. */
function byAgreement(runs: readonly PairedRun[]): Qualities | null {
  const answered = runs.filter(({ rows }) => rows.some(({ url }) => url !== null));
  if (answered.length < AGREEING_MIN) return null;
  return runs.map((run) => {
    const others = answered.filter((other) => other !== run);
    const known = others.map(({ rows }) => rows.map(siteOf).filter((site) => site !== NOWHERE));
    return agreement(run.rows.map(siteOf), known) ?? 0;
  });
}

const urlsOf = (rows: readonly PairedRow[]): readonly string[] => rows.map(({ url }) => url ?? '');

const NOWHERE = '';

function siteOf({ url, verdict }: PairedRow): string {
  const host = url === null || verdict === 'wrong' ? undefined : hostOf(url);
  return host === undefined ? NOWHERE : `https://${host}/`;
}

const hostOf = (url: string): string | undefined =>
  comparableUrl(url)?.domain.replace(/^www\./, '');
