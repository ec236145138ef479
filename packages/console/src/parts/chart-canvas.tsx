import { useEffect, useRef } from 'react';
import Plot, { type AlignedData, type Options } from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ChartProps } from './chart.tsx';
import { coloursOf, stacked } from './chart-data.ts';
import { onThemeChange } from './theme.ts';
import { HOUR_MS } from './time-text.ts';

type CanvasProps = ChartProps & { readonly height: number };

/**
 * The drawing of a chart, in a chunk of its own. Its size follows its frame, its colours follow the
 * theme.
 */
export default function ChartCanvas(props: CanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const { points, series, kind, height } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: functions of the props are read when they are called
  useEffect(() => {
    const box = frame.current;
    if (!box) return undefined;
    let plot = draw(box, latest.current);
    const redraw = () => {
      plot.destroy();
      plot = draw(box, latest.current);
    };
    const endFollowing = onThemeChange(redraw);
    const observer = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height }));
    observer.observe(box);
    return () => {
      endFollowing();
      observer.disconnect();
      plot.destroy();
    };
  }, [points, series, kind, height]);
  return <div ref={frame} />;
}

function draw(box: HTMLElement, props: CanvasProps): Plot {
  const { points, series, kind = 'bars', onPoint } = props;
  const isStacked = kind === 'bars';
  const values = isStacked ? stacked(series) : series.map((each) => [...each.values]);
  // the highest bars first, so that those below are drawn over them
  const order = series.map((_, index) => index);
  if (isStacked) order.reverse();
  const data = [points.map((at) => at / 1000), ...order.map((index) => values[index] ?? [])];
  const plot = new Plot(optionsOf(box, props, order), data as AlignedData, box);
  if (onPoint) {
    plot.over.style.cursor = 'pointer';
    plot.over.addEventListener('click', () => {
      const { idx } = plot.cursor;
      if (idx !== null && idx !== undefined) onPoint(idx);
    });
  }
  return plot;
}

/** A colour of styles/tokens.css as the canvas understands it. */
function colourAt(box: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  // series keep their colours where the system forces its own, as the legend does
  if (name.startsWith('--series')) probe.style.setProperty('forced-color-adjust', 'none');
  probe.style.color = `var(${name})`;
  box.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The length of a bucket: that of the first one, since all are equal. */
function bucketSeconds([first = 0, second = first + HOUR_MS]: readonly number[]): number {
  return (second - first) / 1000;
}

/** Room for a label such as 2026-11-27, and between two of them. */
const LABEL_WIDTH = 84;

/** The buckets that get a label: the last one, and as many before it as there is room for. */
function labelled(points: readonly number[], width: number): number[] {
  const step = Math.max(1, Math.ceil((points.length * LABEL_WIDTH) / width));
  return points.filter((_, index) => (points.length - 1 - index) % step === 0);
}

function optionsOf(box: HTMLElement, props: CanvasProps, order: readonly number[]): Options {
  const { series, points, kind = 'bars', height, format, pointText } = props;
  const colours = coloursOf(series);
  const bars = Plot.paths.bars?.({ size: [0.7, 60], align: 0 });
  const lines = { stroke: colourAt(box, '--ink-soft'), font: '11px system-ui' };
  const half = kind === 'bars' ? bucketSeconds(points) / 2 : 0;
  const grid = { stroke: colourAt(box, '--line'), width: 1 };
  return {
    width: box.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    // half of the last label is right of its bucket
    padding: [null, LABEL_WIDTH / 2, null, null],
    scales: {
      // a bar has its point in the middle
      x: { range: (_, min, max) => [min - half, max + half] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.05 : 1] },
    },
    axes: [
      {
        ...lines,
        grid: { show: false },
        ticks: { show: false },
        size: 28,
        splits: (plot) =>
          labelled(points, plot.bbox.width / window.devicePixelRatio).map((at) => at / 1000),
        values: (_, splits) => splits.map((at) => pointText(at * 1000)),
      },
      {
        ...lines,
        grid,
        ticks: { show: false },
        size: 64,
        values: (_, splits) => splits.map((value) => format(value)),
      },
    ],
    series: [
      {},
      ...order.map((index) => {
        const colour = colourAt(box, colours[index] ?? '--series-1');
        const shared = { label: series[index]?.name ?? '', stroke: colour, spanGaps: false };
        return kind === 'bars' && bars
          ? { ...shared, fill: colour, width: 0, paths: bars, points: { show: false } }
          : { ...shared, width: 1.5 };
      }),
    ],
  };
}
