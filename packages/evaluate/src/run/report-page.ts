import { createHash } from 'node:crypto';
import type {
  EvaluationReport,
  Figure,
  GroupReport,
  ProviderFigures,
} from '../measure/evaluation-report.ts';
import type { EvaluationMeasure } from '../measure/measures.ts';
import { type Html, html } from './html.ts';
import { type Strip, scatterPlot, shortNumber, stripPlot } from './plots.ts';
import { REPORT_STYLE } from './report-style.ts';
import {
  comparisonText,
  failureText,
  figureText,
  groupTitle,
  providerCost,
} from './report-text.ts';
import {
  aboutLines,
  BETTER_RULE,
  compared,
  measureName,
  measuresOf,
  noticeLines,
  queriesText,
  TOO_FEW,
} from './report-words.ts';

/** In its head: how a page is known as one of these reports. */
const MARK = '<meta name="generator" content="trawl evaluate">';

export const isReportPage = (text: string): boolean => text.slice(0, 1_000).includes(MARK);

/** The report as one page without scripts, which loads nothing. */
export function reportPage(report: EvaluationReport): string {
  const hash = createHash('sha256').update(REPORT_STYLE).digest('base64');
  const [all, ...topics] = report.groups;
  const shown = topics.length > 1 ? topics : [];
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${{ markup: MARK }}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">
<title>Evaluation of ${report.set.name}</title>
<style>${{ markup: REPORT_STYLE }}</style>
</head>
<body>
<main>
<h1>Evaluation of ${report.set.name}</h1>
${noticeLines(report).map(
  (line, index) => html`<p class="${index === 0 ? 'origin' : 'notice'}">${line}</p>
`,
)}
${all ? groupHtml(all, report) : html``}
${shown.map((group) => groupHtml(group, report))}
<section>
<h2>How it was measured</h2>
<ul>${aboutLines(report).map((line) => html`<li>${line}</li>`)}</ul>
<p>95 % intervals by bootstrap (1,000 samples). ${BETTER_RULE}</p>
</section>
${faultsHtml(report)}
</main>
</body>
</html>
`;
  return markup;
}

function groupHtml(group: GroupReport, { k }: EvaluationReport): Html {
  const measured = measuresOf(group);
  const [first] = measured;
  return html`<section>
<h2>${groupTitle(group)}</h2>
${verdicts(group, k)}
${measured.filter(({ measure }) => IN_PLOTS.has(measure)).map(({ measure, name }) => measurePlot(group, measure, name(k)))}
${differencePlot(group, k)}
${first ? costPlots(group, first.measure, first.name(k)) : html``}
${figuresTable(group, k)}
</section>
`;
}

const IN_PLOTS: ReadonlySet<EvaluationMeasure> = new Set(['answers', 'ndcg', 'agreed_ndcg']);

function verdicts({ comparisons }: GroupReport, k: number): Html {
  const better = comparisons.filter(({ verdict }) => verdict === 'better');
  if (better.length > 0) {
    return html`<ul>${better.map((one) => html`<li>${comparisonText(one, k)}</li>`)}</ul>`;
  }
  const isFew = comparisons.every(({ verdict }) => verdict === 'too few queries');
  return html`<p>${isFew ? TOO_FEW : 'No two providers can be distinguished.'}</p>`;
}

function measurePlot(
  { providers, controls }: GroupReport,
  measure: EvaluationMeasure,
  name: string,
): Html {
  const strips = providers.flatMap((provider) => stripOf(provider.provider, provider[measure]));
  const added =
    measure === 'answers'
      ? [
          ...stripOf('control null: no results', controls.null),
          ...stripOf('control oracle: answer shown', controls.oracle),
        ]
      : [];
  return stripPlot(`${name}, higher is better`, UNIT, [...strips, ...added]);
}

const UNIT = { from: 0, to: 1, unit: '' };

const stripOf = (name: string, figure: Figure | null): readonly Strip[] =>
  figure === null
    ? []
    : [
        {
          ...{ name, value: figure.mean, low: figure.low, high: figure.high },
          text: `${figureText(figure)}, ${queriesText(figure.queries)}`,
        },
      ];

function differencePlot({ comparisons }: GroupReport, k: number): Html {
  const shown = compared(comparisons);
  if (shown.length === 0) return html``;
  const strips = shown.map((one) => ({
    name: `${one.first} − ${one.second}, ${measureName(one.measure, k)}`,
    value: one.difference.mean,
    low: one.difference.low,
    high: one.difference.high,
    text: comparisonText(one, k),
    isClear: one.verdict === 'better',
  }));
  return stripPlot(
    'Paired differences: right of the line, the first is better',
    DIFFERENCE,
    strips,
  );
}

const DIFFERENCE = { from: -1, to: 1, unit: '' };

function costPlots(
  { providers, queries }: GroupReport,
  measure: EvaluationMeasure,
  name: string,
): Html {
  const per1000 = ({ cost_usd: usd, calls }: ProviderFigures) => (usd / Math.max(1, calls)) * 1_000;
  const priced = providers.flatMap((provider) => {
    const figure = provider[measure];
    if (figure === null || provider.unknown_cost_calls > 0) return [];
    return [{ name: provider.provider, x: per1000(provider), y: figure.mean }];
  });
  const times = providers.flatMap(({ provider, latency_ms: { p50, p95 } }): readonly Strip[] =>
    p50 === null || p95 === null
      ? []
      : [{ name: provider, value: p50, low: p50, high: p95, text: `${p50} ms, p95 ${p95} ms` }],
  );
  const slowest = Math.max(1, ...times.map(({ high }) => high));
  const dearest = Math.max(...priced.map(({ x }) => x), 0);
  return html`${
    priced.length > 0
      ? scatterPlot(
          `${name} by price (providers with a known price)`,
          { name: 'US dollars per 1,000 calls', to: dearest },
          { name, to: 1 },
          priced,
        )
      : html``
  }${times.length > 0 && queries > 0 ? stripPlot('Latency: median to p95', { from: 0, to: slowest, unit: ' ms' }, times) : html``}`;
}

function figuresTable(group: GroupReport, k: number): Html {
  const { providers, topic } = group;
  const measured = measuresOf(group);
  const heads = [
    ...measured.map(({ name }) => name(k)),
    'p50 ms',
    'p95 ms',
    'cost',
    'failures',
    'rows',
  ];
  const row = (one: ProviderFigures): Html => html`<tr><th scope="row">${one.provider}</th>${[
    ...measured.map(({ measure }) => figureText(one[measure])),
    String(one.latency_ms.p50 ?? '-'),
    String(one.latency_ms.p95 ?? '-'),
    providerCost(one),
    failureText(one),
    rowsText(one),
  ].map((cell) => html`<td>${cell}</td>`)}</tr>
`;
  return html`<div class="wide" role="region" tabindex="0" aria-label="Figures of ${topic ?? 'all queries'}">
<table>
<thead><tr><th scope="col">provider</th>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${providers.map(row)}</tbody>
</table>
</div>
`;
}

const rowsText = ({ rows: { real, simulated } }: ProviderFigures): string =>
  simulated === 0 ? shortNumber(real) : `${real} real, ${simulated} simulated`;

const FAULTS_SHOWN = 100;

function faultsHtml({ faults }: EvaluationReport): Html {
  if (faults.length === 0) return html``;
  const more = faults.length - FAULTS_SHOWN;
  return html`<section>
<h2>What could not be measured</h2>
<ul>${faults
    .slice(0, FAULTS_SHOWN)
    .map(
      ({ what, query, about, reason }) =>
        html`<li>${FAULT_NAMES[what]}, query ${query ?? '–'}, ${about}: ${reason}</li>`,
    )}</ul>
${more > 0 ? html`<p>And ${more} more, in the JSON.</p>` : html``}
</section>
`;
}

const FAULT_NAMES: Readonly<Record<EvaluationReport['faults'][number]['what'], string>> = {
  gold_gone: 'A gold page no longer exists and does not count',
  gold_unread: 'A gold page could not be read and counts',
  no_answer: 'No answer of the model',
  no_grade: 'No grade of the judge',
};
