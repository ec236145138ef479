import type { Case } from './cases.ts';
import type { Measured } from './measure-case.ts';

export interface CaseResult {
  readonly measured: Case;
  readonly bare: Measured | null;
  /** The bare one that records. */
  readonly recording: Measured | null;
  readonly ours: Measured;
}

const HEAD = [
  'request',
  'connections',
  'target',
  'CPU µs',
  'main, recorder',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'RSS MB',
];

/**
 * A Markdown table: the bare fan-out, the one that records, and ours with its ratios to that, or
 * else to the first.
 */
export function benchTable(results: readonly CaseResult[]): readonly string[] {
  const rows = results.flatMap(({ measured, bare, recording, ours }) => [
    ...(bare ? [row(measured, 'bare', bare, null)] : []),
    ...(recording ? [row(measured, 'bare, recording', recording, bare)] : []),
    row(measured, 'trawl', ours, recording ?? bare),
  ]);
  return [line(HEAD), line(HEAD.map(() => '---')), ...rows.map(line)];
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function row(
  { name, connections }: Case,
  target: string,
  { cpuMicros, mainMicros, recorderMicros, perSecond, p50Ms, p99Ms, memoryMb }: Measured,
  bare: Measured | null,
): readonly string[] {
  const times = (own: number, other: number | undefined, digits = 2): string =>
    other === undefined ? '' : ` (${(own / other).toFixed(digits)}×)`;
  const added = bare ? ` (+${(p50Ms - bare.p50Ms).toFixed(2)})` : '';
  return [
    name,
    String(connections),
    target,
    `${cpuMicros.toFixed(0)}${times(cpuMicros, bare?.cpuMicros)}`,
    `${mainMicros.toFixed(0)}, ${recorderMicros.toFixed(0)}`,
    `${perSecond.toFixed(0)}${times(perSecond, bare?.perSecond)}`,
    `${p50Ms.toFixed(2)}${added}`,
    `${p99Ms.toFixed(1)}${times(p99Ms, bare?.p99Ms, 1)}`,
    memoryMb.toFixed(0),
  ];
}
