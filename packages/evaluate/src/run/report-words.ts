import { costText, counted } from '@trawl/client/terminal/output';
import type { Comparison, EvaluationReport, GroupReport } from '../measure/evaluation-report.ts';
import type { EvaluationMeasure } from '../measure/measures.ts';

export const queriesText = (count: number): string => counted(count, 'query', 'queries');

/** The measures in the order of columns, with their names at a depth. */
const MEASURE_NAMES: readonly {
  readonly measure: EvaluationMeasure;
  readonly name: (k: number) => string;
}[] = [
  { measure: 'answers', name: () => 'right answers' },
  { measure: 'ndcg', name: (k) => `nDCG@${k}` },
  { measure: 'success', name: (k) => `success@${k}` },
  { measure: 'agreed_ndcg', name: (k) => `agreed nDCG@${k}` },
  { measure: 'agreed_success', name: (k) => `agreed success@${k}` },
];

/** The measures that a provider of the group has. */
export const measuresOf = ({ providers }: Pick<GroupReport, 'providers'>) =>
  MEASURE_NAMES.filter(({ measure }) => providers.some((provider) => provider[measure] !== null));

export const measureName = (measure: EvaluationMeasure, k: number): string =>
  MEASURE_NAMES.find((one) => one.measure === measure)?.name(k) ?? measure;

/** The comparisons that enough queries speak for. */
export const compared = (comparisons: readonly Comparison[]): readonly Comparison[] =>
  comparisons.filter(({ verdict }) => verdict !== 'too few queries');

/** What was measured, when, with what, for how much. */
export function aboutLines(report: EvaluationReport): readonly string[] {
  const { set, cost, k, tier, seed, models, run_id: run, session_id: session } = report;
  const origin = set.origin === null ? '' : `, ${set.origin.source}, ${set.origin.licence}`;
  const calls = [report.first_call_at, report.last_call_at].filter((at) => at !== null);
  return [
    `Set ${set.name}${origin}, sha256 ${set.sha256}: ${set.queries} queries, ${set.with_gold} with gold URLs, ${set.with_expected_answer} with an expected answer`,
    `k ${k}, tier ${tier}, seed ${seed}; trawl ${report.trawl_version} at ${report.server}; run ${run}, session ${session}`,
    ...(calls.length > 0 ? [`Calls from ${calls.join(' to ')}`] : []),
    ...(models === null ? [] : [`Answers by ${models.answers}; judge ${models.judge}`]),
    `${counted(cost.search_calls, 'search call')}: ${costText(cost.search_usd)}${cost.unknown_calls > 0 ? ` and ${counted(cost.unknown_calls, 'call')} of unknown price` : ''}${ledgerText(cost.ledger)}`,
    ...(models === null ? [] : [modelText(cost)]),
  ];
}

function ledgerText(ledger: EvaluationReport['cost']['ledger']): string {
  if (ledger === null) return '';
  const unpriced =
    ledger.unpriced_calls > 0 ? ` and ${counted(ledger.unpriced_calls, 'unpriced call')}` : '';
  return `; booked by the server for the session: ${costText(ledger.usd ?? 0)}${unpriced}`;
}

const modelText = (cost: EvaluationReport['cost']): string =>
  `${counted(cost.model_calls, 'model call')}: ${cost.model_tokens_in} tokens in, ${cost.model_tokens_out} out as the server of the model counts them, ${cost.model_usd === null ? 'price not known' : costText(cost.model_usd)}`;

/** Which provider is better on all queries, and the cheapest, in one sentence. */
export function verdictText({ groups }: EvaluationReport): string {
  const [all] = groups;
  if (!all) return 'No query was measured.';
  const comparisons = compared(all.comparisons);
  const beaten = new Set(comparisons.filter(isBetter).map(({ second }) => second));
  const ahead = comparisons.filter((one) => isBetter(one) && !beaten.has(one.first));
  const on = `on these ${queriesText(all.queries)}`;
  const winners = [...new Set(ahead.map(({ first }) => first))].map((name) => {
    const others = ahead.filter(({ first }) => first === name).map(({ second }) => second);
    return `${name} is better than ${[...new Set(others)].join(', ')} ${on}`;
  });
  const none =
    comparisons.length === 0
      ? `${queriesText(all.queries)} are too few to say which provider is better`
      : `No provider is better than another ${on}`;
  return `${winners.join('; ') || none}${cheapestText(all)}.`;
}

const isBetter = ({ verdict }: Comparison): boolean => verdict === 'better';

/** Empty where a price is not known, or the lowest is that of several. */
function cheapestText({ providers }: GroupReport): string {
  const prices = providers.map(({ cost_usd, unknown_cost_calls: unknown }) =>
    unknown > 0 ? null : cost_usd,
  );
  const known = prices.filter((price) => price !== null);
  const least = Math.min(...known);
  const [cheapest, another] = providers.filter(({ cost_usd }) => cost_usd === least);
  if (known.length < prices.length || prices.length < 2 || !cheapest || another) return '';
  return `; ${cheapest.provider} is the cheapest (${costText(least)})`;
}

/** When one provider is called better than another. */
export const BETTER_RULE =
  'A provider is called better only where the interval of the paired difference leaves 0 out, and a randomization test gives less than 5 %.';

export const TOO_FEW =
  'Too few queries to compare providers: at least 10 that both were measured on are needed.';

/** What a reader has to know before any figure. */
export function noticeLines(report: EvaluationReport): readonly string[] {
  const { rows, groups, missing_calls: missing, set } = report;
  const all = groups[0];
  const agrees = all?.providers.some((provider) => provider.agreed_ndcg !== null) ?? false;
  const count = compared(groups.flatMap(({ comparisons }) => comparisons)).length;
  return [
    originText(rows),
    ...(agrees
      ? [
          'Agreed pages are those that two or more other providers found: that is agreement, not truth.',
        ]
      : []),
    ...(report.models ? ['A model graded the answers: it errs too. Read the controls first.'] : []),
    ...(set.classified > 0
      ? [`The topic of ${queriesText(set.classified)} was determined by the server.`]
      : []),
    ...(missing > 0
      ? [`${counted(missing, 'call')} of this run are missing: the same command makes them.`]
      : []),
    ...(count > 1
      ? [
          `${count} comparisons: of those without a real difference, about one in twenty is called better by chance.`,
        ]
      : []),
  ];
}

function originText({ real, simulated }: EvaluationReport['rows']): string {
  if (real + simulated === 0) return 'No provider found anything.';
  if (real === 0) {
    return `SIMULATED: all ${simulated} rows are on host names that are reserved for examples, so a sandbox answered. These figures say nothing about real providers.`;
  }
  if (simulated === 0) return `All ${real} rows are on real host names.`;
  return `PARTLY SIMULATED: ${simulated} of ${real + simulated} rows are on host names that are reserved for examples.`;
}
