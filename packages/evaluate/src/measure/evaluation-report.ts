import type { Topic } from '@trawl/contract';
import type { ConfidenceInterval } from '../statistics/intervals.ts';
import type { EvaluationMeasure, QueryScores } from './measures.ts';
import type { SetOrigin } from './query-set.ts';

export const REPORT_FORMAT = 'trawl-evaluation-report/1';

/** What an evaluation found, as it is written: as JSON, and shown as table and page. */
export interface EvaluationReport {
  readonly format: typeof REPORT_FORMAT;
  readonly trawl_version: string;
  readonly run_id: string;
  readonly session_id: string;
  readonly server: string;
  readonly created_at: string;
  /** When the first and the last call were made; null without any. */
  readonly first_call_at: string | null;
  readonly last_call_at: string | null;
  readonly set: {
    readonly name: string;
    readonly sha256: string;
    readonly origin: SetOrigin | null;
    readonly queries: number;
    readonly with_gold: number;
    readonly with_expected_answer: number;
    /** Queries whose topic the server determined, since the set has none. */
    readonly classified: number;
  };
  readonly k: number;
  readonly tier: string;
  readonly seed: number;
  readonly providers: readonly string[];
  readonly models: { readonly answers: string; readonly judge: string } | null;
  /** Calls without a row, or that were not sent. */
  readonly missing_calls: number;
  readonly rows: RowOrigin;
  readonly cost: EvaluationCost;
  /** All queries, then each topic. */
  readonly groups: readonly GroupReport[];
  readonly faults: readonly Fault[];
  /**
   * The providers that auto-routing asks on a topic, best first. A topic is absent where no query
   * of the set went to it alone.
   */
  readonly in_use: OrdersInUse;
  /** What each provider got on each query, without texts: what is learned from. */
  readonly scores: readonly QueryFigures[];
}

export type OrdersInUse = Readonly<Partial<Record<Topic, readonly string[]>>>;

export interface QueryFigures {
  readonly query: string;
  readonly topic: Topic | null;
  readonly providers: readonly ProviderOnQuery[];
}

export interface ProviderOnQuery extends QueryScores {
  readonly provider: string;
  readonly failure: string | null;
  readonly latency_ms: number | null;
}

/** Rows on names that are reserved for tests and examples: no such page exists. */
export interface RowOrigin {
  readonly real: number;
  readonly simulated: number;
}

export interface EvaluationCost {
  readonly search_calls: number;
  readonly search_usd: number;
  /** Search calls whose price is not known, failed ones included. */
  readonly unknown_calls: number;
  /** What the server booked for the session of the run; null = the key may not read it. */
  readonly ledger: { readonly usd: number | null; readonly unpriced_calls: number } | null;
  readonly model_calls: number;
  readonly model_tokens_in: number;
  readonly model_tokens_out: number;
  /** null = without a price, or without what it counts. */
  readonly model_usd: number | null;
}

export interface GroupReport {
  /** null = all queries. */
  readonly topic: Topic | null;
  readonly queries: number;
  /** Best first. */
  readonly providers: readonly ProviderFigures[];
  /** Share of correct answers without any result, and with the gold text. */
  readonly controls: { readonly null: Figure | null; readonly oracle: Figure | null };
  readonly comparisons: readonly Comparison[];
}

export interface Figure extends ConfidenceInterval {
  /** Queries that it is over. */
  readonly queries: number;
}

export interface ProviderFigures extends Readonly<Record<EvaluationMeasure, Figure | null>> {
  readonly provider: string;
  readonly calls: number;
  readonly latency_ms: { readonly p50: number | null; readonly p95: number | null };
  readonly cost_usd: number;
  readonly unknown_cost_calls: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly rows: RowOrigin;
}

/** Two providers on the queries that both have: the first less the second. */
export interface Comparison {
  readonly first: string;
  readonly second: string;
  readonly measure: EvaluationMeasure;
  readonly queries: number;
  readonly difference: ConfidenceInterval;
  readonly verdict: 'better' | 'not separable' | 'too few queries';
}

/** What could not be measured, and why. */
export interface Fault {
  readonly what: 'gold_gone' | 'gold_unread' | 'no_answer' | 'no_grade';
  readonly query: string | null;
  /** A provider or control, or the URL of a gold page. */
  readonly about: string;
  readonly reason: string;
}
