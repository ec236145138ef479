import type { ResultVerdict, Verdict } from '@trawl/contract';
import { addressOf, type HeldResult } from './held-results.ts';

export interface JudgedResult {
  readonly result: HeldResult;
  readonly verdict: Verdict;
}

/** The fault of one of the named results. */
export interface MatchProblem {
  /** Index of the named result. */
  readonly index: number;
  readonly field: keyof ResultVerdict;
  readonly problem: string;
}

/** Finds the named results, each once, by run and rank. */
export function matchResults(
  named: readonly ResultVerdict[],
  held: readonly HeldResult[],
): { readonly judged: readonly JudgedResult[]; readonly problems: readonly MatchProblem[] } {
  const judged = new Map<HeldResult, { readonly verdict: Verdict; readonly index: number }>();
  const problems: MatchProblem[] = [];
  for (const [index, one] of named.entries()) {
    const found = resultsOf(one, held);
    if ('problem' in found) {
      problems.push({ index, ...found });
      continue;
    }
    for (const result of found.results) {
      const before = judged.get(result);
      if (before !== undefined && before.verdict !== one.verdict) {
        problems.push({ index, field: 'verdict', problem: contradiction(result, one, before) });
        break;
      }
      judged.set(result, { verdict: one.verdict, index });
    }
  }
  const inOrder = held.flatMap((result) => {
    const said = judged.get(result);
    return said ? [{ result, verdict: said.verdict }] : [];
  });
  return { judged: inOrder, problems };
}

const contradiction = (
  result: HeldResult,
  { verdict }: ResultVerdict,
  before: { readonly verdict: Verdict; readonly index: number },
): string =>
  `${placeOf(result)} is ${verdict} here and ${before.verdict} in results[${before.index}]; give one verdict for each result`;

type Found = { readonly results: readonly HeldResult[] } | Pick<MatchProblem, 'field' | 'problem'>;

/** How each member of a named result narrows the choice, and the values to choose from. */
const FILTERS: readonly {
  readonly field: 'run_id' | 'provider' | 'batch_index' | 'url' | 'rank';
  readonly isMeant: (result: HeldResult, named: ResultVerdict) => boolean;
  readonly choice: (result: HeldResult) => string;
}[] = [
  {
    field: 'run_id',
    isMeant: ({ runId }, { run_id }) => runId === run_id,
    choice: ({ runId, provider }) => `${runId} (${provider})`,
  },
  {
    field: 'provider',
    isMeant: (result, { provider }) => result.provider === provider,
    choice: ({ provider }) => provider,
  },
  {
    field: 'batch_index',
    isMeant: ({ batchIndex }, { batch_index }) => batchIndex === batch_index,
    choice: ({ batchIndex }) => String(batchIndex),
  },
  {
    field: 'url',
    isMeant: ({ addresses }, { url }) => url !== undefined && addresses.includes(addressOf(url)),
    choice: ({ url }) => url ?? 'one without a URL',
  },
  {
    field: 'rank',
    isMeant: (result, { rank }) => result.rank === rank,
    choice: ({ rank }) => String(rank),
  },
];

function resultsOf(named: ResultVerdict, held: readonly HeldResult[]): Found {
  const wanted = FILTERS.filter(({ field }) => named[field] !== undefined);
  let left = held;
  for (const { field, isMeant, choice } of wanted) {
    const meant = left.filter((result) => isMeant(result, named));
    if (meant.length === 0) return { field, problem: absent(field, left.map(choice)) };
    left = meant;
  }
  if (named.url === undefined && left.length > 1) return { field: 'rank', problem: several(left) };
  return { results: named.rank === undefined ? firstOfEachRun(left) : left };
}

function absent(field: string, choices: readonly string[]): string {
  if (choices.length === 0) return 'the interaction has no results';
  return `no result of the interaction has this ${field}; what is there: ${listed(choices)}`;
}

const several = (results: readonly HeldResult[]): string =>
  `it matches ${results.length} results (${listed(results.map(placeOf))}); add url, provider, batch_index or run_id`;

const placeOf = ({ provider, batchIndex, rank }: HeldResult): string =>
  `rank ${rank} of ${provider} for query ${batchIndex}`;

/** The same page twice in one run is one result. */
function firstOfEachRun(results: readonly HeldResult[]): readonly HeldResult[] {
  return results.filter(
    ({ runPosition }, index) =>
      results.findIndex((other) => other.runPosition === runPosition) === index,
  );
}

const CHOICES_SHOWN = 10;
const CHOICE_CHARACTERS = 200;

function listed(choices: readonly string[]): string {
  const different = [...new Set(choices)];
  const shown = different
    .slice(0, CHOICES_SHOWN)
    .map((text) =>
      text.length > CHOICE_CHARACTERS ? `${text.slice(0, CHOICE_CHARACTERS)}…` : text,
    );
  const more = different.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
