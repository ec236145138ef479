import {
  type FetchAnswer,
  type PreprocessorRun,
  type SearchAnswer,
  warningsOf,
} from '@trawl/client';

/** What is kept of the answers: all answers of a long file would not fit into memory. */
export interface CommandTally {
  readonly sessionId: string | undefined;
  readonly interactionIds: readonly string[];
  readonly all: number;
  readonly failed: number;
  readonly warnings: readonly CountedWarning[];
}

export interface CountedWarning {
  readonly code: string;
  readonly message: string;
  readonly count: number;
}

export interface OpenTally {
  add(
    answer: SearchAnswer | FetchAnswer,
    counts: { readonly all: number; readonly failed: number },
  ): void;
  tally(): CommandTally;
}

export function newTally(): OpenTally {
  const interactionIds: string[] = [];
  const warnings = new Map<string, CountedWarning>();
  let sessionId: string | undefined;
  let [all, failed] = [0, 0];
  return {
    add: (answer, counts) => {
      sessionId ??= answer.session_id;
      interactionIds.push(answer.interaction_id);
      all += counts.all;
      failed += counts.failed;
      const runs: readonly PreprocessorRun[] = answer.preprocessor_runs;
      for (const { code, message, count } of warningsOf({ preprocessor_runs: runs })) {
        const name = `${code} ${message}`;
        warnings.set(name, { code, message, count: count + (warnings.get(name)?.count ?? 0) });
      }
    },
    tally: () => ({
      sessionId,
      interactionIds,
      all,
      failed,
      warnings: [...warnings.values()].sort((a, b) => b.count - a.count),
    }),
  };
}
