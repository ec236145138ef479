import { type ProbeOperation, RUN_ERRORS } from '@trawl/contract';

/** Similar rows of the ledger. */
export interface ProviderTally {
  readonly provider: string;
  readonly operation: ProbeOperation;
  /** Whether a call was sent. */
  readonly isAsked: boolean;
  /** null = succeeded. */
  readonly errorCode: string | null;
  /** Of succeeded rows; null where it is not known. */
  readonly latencyMs: number | null;
  readonly runs: number;
  readonly calls: number;
  readonly unpricedCalls: number;
  readonly costMicros: number;
  /** Rows whose count of results is known, and those of them without a result. */
  readonly counted: number;
  readonly empty: number;
  readonly latest: LedgerPlace;
}

/** One row of the ledger. */
export interface LedgerPlace {
  readonly at: string;
  readonly sessionId: string;
  readonly interactionId: string;
}

export interface ProviderReader {
  /** One list for each day of the span. */
  tallies(
    projectId: string,
    span: { readonly from: string; readonly to: string },
  ): AsyncIterable<readonly ProviderTally[]>;
}

/** What was booked in a span of time, by provider and operation: `exa search`. */
export async function talliesOf(
  reader: ProviderReader,
  projectId: string,
  span: { readonly from: string; readonly to: string },
): Promise<ReadonlyMap<string, readonly ProviderTally[]>> {
  const found = new Map<string, ProviderTally[]>();
  for await (const day of reader.tallies(projectId, span)) {
    for (const tally of day) {
      const key = `${tally.provider} ${tally.operation}`;
      const known = found.get(key);
      if (known) known.push(tally);
      else found.set(key, [tally]);
    }
  }
  return found;
}

export type FailureKind = 'provider' | 'page' | 'not_sent';

/** Runs that failed for one reason. */
export interface FailureGroup {
  readonly code: string;
  readonly kind: FailureKind;
  readonly runs: number;
  readonly latest: LedgerPlace;
}

/** How one operation of a provider did. */
export interface ProviderFigures {
  readonly asked: number;
  readonly failed: number;
  readonly pageFailures: number;
  readonly notSent: number;
  readonly empty: number;
  readonly counted: number;
  readonly latencyMs: { readonly p50: number; readonly p80: number; readonly p95: number } | null;
  readonly calls: number;
  readonly unpricedCalls: number;
  /** null without a call whose cost is known. */
  readonly costMicros: number | null;
  /** Most runs first. */
  readonly failures: readonly FailureGroup[];
  /** The error of the last call that was sent; null = it succeeded, or there was none. */
  readonly lastError: string | null;
}

/** Adds up the tallies of one operation of a provider. */
export function providerFigures(tallies: readonly ProviderTally[]): ProviderFigures {
  const asked = tallies.filter(wasTried);
  const failures = failuresOf(tallies);
  const runsOf = (kind: FailureKind): number =>
    sum(failures.filter((failure) => failure.kind === kind).map(({ runs }) => runs));
  const calls = sum(tallies.map((tally) => tally.calls));
  const unpricedCalls = sum(tallies.map((tally) => tally.unpricedCalls));
  const last = asked.reduce<ProviderTally | null>(
    (latest, tally) => (latest === null || tally.latest.at > latest.latest.at ? tally : latest),
    null,
  );
  return {
    asked: sum(asked.map(({ runs }) => runs)),
    failed: runsOf('provider'),
    pageFailures: runsOf('page'),
    notSent: runsOf('not_sent'),
    empty: sum(tallies.map(({ empty }) => empty)),
    counted: sum(tallies.map(({ counted }) => counted)),
    latencyMs: quantiles(asked),
    calls,
    unpricedCalls,
    costMicros: calls > unpricedCalls ? sum(tallies.map(({ costMicros }) => costMicros)) : null,
    failures,
    lastError: last?.errorCode ?? null,
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** A provider that could not be reached was asked, though no request was sent. */
const wasTried = ({ isAsked, errorCode }: ProviderTally): boolean =>
  isAsked || errorCode === 'network_error';

/** Codes that say something about the page, not about the provider. */
const kindOf = (tally: ProviderTally): FailureKind => {
  const { errorCode, operation } = tally;
  if (!wasTried(tally)) return 'not_sent';
  const isRunCode = errorCode !== null && (errorCode in RUN_ERRORS || errorCode === 'unknown');
  return operation === 'search' || isRunCode ? 'provider' : 'page';
};

function failuresOf(tallies: readonly ProviderTally[]): readonly FailureGroup[] {
  const failures = new Map<string, FailureGroup>();
  for (const tally of tallies) {
    const { errorCode: code, runs, latest } = tally;
    if (code === null) continue;
    const kind = kindOf(tally);
    const key = `${kind} ${code}`;
    const known = failures.get(key);
    failures.set(key, {
      code,
      kind,
      runs: runs + (known?.runs ?? 0),
      latest: known && known.latest.at > latest.at ? known.latest : latest,
    });
  }
  return [...failures.values()].sort((a, b) => b.runs - a.runs || (a.code < b.code ? -1 : 1));
}

function quantiles(tallies: readonly ProviderTally[]): ProviderFigures['latencyMs'] {
  const known = tallies
    .flatMap(({ latencyMs, runs }) => (latencyMs === null ? [] : [{ latencyMs, runs }]))
    .sort((a, b) => a.latencyMs - b.latencyMs);
  const total = sum(known.map(({ runs }) => runs));
  const at = (share: number): number => {
    let left = Math.ceil(share * total);
    for (const { latencyMs, runs } of known) {
      left -= runs;
      if (left <= 0) return latencyMs;
    }
    return 0;
  };
  return total === 0 ? null : { p50: at(0.5), p80: at(0.8), p95: at(0.95) };
}
