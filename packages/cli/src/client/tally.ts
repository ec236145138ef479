import type { FetchAnswer, PreprocessorRun, SearchAnswer } from '@trawl/client';
import { warningsOf } from '@trawl/client/warnings';

/** What is kept of the answers: all answers of a long file would not fit into memory. */
export interface CommandTally {
  readonly sessionId: string | undefined;
  readonly interactionIds: readonly string[];
  readonly all: number;
  readonly failed: number;
  /** Of those that failed, how many because nothing answered at the address. */
  readonly unreached: number;
  readonly warnings: readonly CountedWarning[];
}

export interface AnswerCount {
  readonly all: number;
  readonly failures: readonly { readonly code: string }[];
}

/** Codes of failures that a machine without internet has with every provider or page. */
const UNREACHED: readonly string[] = ['network_error', 'dns_error'];

export interface CountedWarning {
  readonly code: string;
  readonly message: string;
  readonly count: number;
}

export interface OpenTally {
  add(answer: SearchAnswer | FetchAnswer, counts: AnswerCount): void;
  tally(): CommandTally;
}

export function newTally(): OpenTally {
  const interactionIds: string[] = [];
  const warnings = new Map<string, CountedWarning>();
  let sessionId: string | undefined;
  let [all, failed, unreached] = [0, 0, 0];
  return {
    add: (answer, counts) => {
      sessionId ??= answer.session_id;
      interactionIds.push(answer.interaction_id);
      all += counts.all;
      failed += counts.failures.length;
      unreached += counts.failures.filter(({ code }) => UNREACHED.includes(code)).length;
      for (const { code, message, count } of shownWarnings(answer.preprocessor_runs)) {
        const name = `${code} ${message}`;
        warnings.set(name, { code, message, count: count + (warnings.get(name)?.count ?? 0) });
      }
    },
    tally: () => ({
      sessionId,
      interactionIds,
      all,
      failed,
      unreached,
      warnings: [...warnings.values()].sort((a, b) => b.count - a.count),
    }),
  };
}

/** What a provider would not have supplied says nothing where it did not answer. */
const shownWarnings = (runs: readonly PreprocessorRun[]) => [
  ...warningsOf({ preprocessor_runs: runs.filter(({ status }) => status !== 'failed') }),
  ...warningsOf({ preprocessor_runs: runs.filter(({ status }) => status === 'failed') }).filter(
    ({ code }) => code !== 'capability_gap',
  ),
];
