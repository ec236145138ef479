import { aligned, costText } from '@trawl/client/terminal/output';
import { oneLine, type Style } from '@trawl/client/terminal/style';
import type {
  Comparison,
  EvaluationReport,
  Figure,
  GroupReport,
  ProviderFigures,
} from '../measure/evaluation-report.ts';
import {
  aboutLines,
  BETTER_RULE,
  compared,
  measureName,
  measuresOf,
  noticeLines,
  queriesText,
  TOO_FEW,
  verdictText,
} from './report-words.ts';

/** The report for a terminal. */
export function reportText(report: EvaluationReport, { bold, warning }: Style): string {
  const several = report.groups.length > 2 ? report.groups : report.groups.slice(0, 1);
  return [
    bold(verdictText(report)),
    '',
    ...aboutLines(report),
    ...noticeLines(report).map(warning),
    ...several.flatMap((group) => ['', bold(groupTitle(group)), ...groupLines(group, report.k)]),
    '',
    `95 % intervals are in brackets. ${BETTER_RULE}`,
    ...faultLines(report),
    '',
  ].join('\n');
}

export const groupTitle = ({ topic, queries }: GroupReport): string =>
  `${topic ?? 'All queries'}: ${queriesText(queries)}`;

function groupLines(group: GroupReport, k: number): readonly string[] {
  const { providers, controls, comparisons } = group;
  const measured = measuresOf(group);
  const head = [
    'provider',
    ...measured.map(({ name }) => name(k)),
    'p50/p95 ms',
    'cost',
    'failures',
  ];
  return [
    ...aligned([
      head,
      ...providers.map((provider) => [
        provider.provider,
        ...measured.map(({ measure }) => figureText(provider[measure])),
        `${provider.latency_ms.p50 ?? '-'}/${provider.latency_ms.p95 ?? '-'}`,
        providerCost(provider),
        failureText(provider),
      ]),
    ]),
    ...(controls.null
      ? [`control null (no results): ${figureText(controls.null)} right answers`]
      : []),
    ...(controls.oracle
      ? [`control oracle (the answer is shown): ${figureText(controls.oracle)} right answers`]
      : []),
    ...comparisonLines(comparisons, k),
  ];
}

/** One line for all that too few queries say nothing about. */
function comparisonLines(comparisons: readonly Comparison[], k: number): readonly string[] {
  const shown = compared(comparisons);
  return [
    ...shown.map((one) => comparisonText(one, k)),
    ...(shown.length < comparisons.length ? [TOO_FEW] : []),
  ];
}

export function figureText(figure: Figure | null): string {
  if (figure === null) return '-';
  const { mean, low, high } = figure;
  return `${mean.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

export const providerCost = ({ cost_usd: usd, unknown_cost_calls: unknown }: ProviderFigures) =>
  `${costText(usd)}${unknown > 0 ? ` + ${unknown}?` : ''}`;

export const failureText = ({ failures }: ProviderFigures): string =>
  Object.entries(failures)
    .map(([code, count]) => `${count} ${code}`)
    .join(', ') || 'none';

export function comparisonText(
  { first, second, measure, queries, difference, verdict }: Comparison,
  k: number,
): string {
  const said = {
    better: `${first} is better than ${second}`,
    'not separable': `${first} and ${second} cannot be distinguished`,
    'too few queries': `${first} and ${second}: too few queries to compare`,
  }[verdict];
  const { mean, low, high } = difference;
  const signed = (value: number) => `${value < 0 ? '' : '+'}${value.toFixed(2)}`;
  return `${said}: ${measureName(measure, k)} ${signed(mean)} (${signed(low)} to ${signed(high)}) on ${queriesText(queries)}`;
}

const FAULTS_SHOWN = 10;

function faultLines({ faults }: EvaluationReport): readonly string[] {
  if (faults.length === 0) return [];
  const more = faults.length - FAULTS_SHOWN;
  return [
    '',
    ...faults
      .slice(0, FAULTS_SHOWN)
      .map(({ what, query, about, reason }) =>
        oneLine(`${what}: ${query === null ? '' : `query ${query}, `}${about}: ${reason}`),
      ),
    ...(more > 0 ? [`and ${more} more, in the JSON`] : []),
  ];
}
