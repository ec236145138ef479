import { lazy, Suspense } from 'react';
import styles from './chart.module.css';
import { coloursOf, type Series } from './chart-data.ts';
import { Skeleton } from './region.tsx';
import { Table } from './table.tsx';
import { NotReported } from './value.tsx';

const ChartCanvas = lazy(() => import('./chart-canvas.tsx'));

export interface ChartProps {
  /** What it shows: «Requests per hour, UTC». */
  readonly title: string;
  /** Start of each bucket, in milliseconds since 1970, in order. */
  readonly points: readonly number[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  readonly pointText: (milliseconds: number) => string;
  /** Bars are stacked. */
  readonly kind?: 'bars' | 'lines';
  readonly height?: number;
  /** A click on a bucket. */
  readonly onPoint?: (index: number) => void;
}

/** A chart, always with a table of the same numbers. */
export function Chart(props: ChartProps) {
  const { title, points, series, format, pointText, height = 180 } = props;
  const colours = coloursOf(series);
  return (
    <figure className={styles.chart} aria-label={title}>
      {series.length > 1 && (
        <ul className={styles.legend}>
          {series.map(({ name }, index) => (
            <li key={name}>
              <span className={styles.swatch} style={{ background: `var(${colours[index]})` }} />
              {name}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.canvas} style={{ height }} aria-hidden="true">
        <Suspense fallback={<Skeleton rows={4} />}>
          <ChartCanvas {...props} height={height} />
        </Suspense>
      </div>
      <details>
        <summary>Show the numbers</summary>
        <Table
          caption={title}
          rows={points.map((at, index) => ({ at, index }))}
          rowKey={({ at }) => String(at)}
          columns={[
            { key: 'at', title: 'Time', cell: ({ at }) => pointText(at) },
            ...series.map(({ name, values }) => ({
              key: name,
              title: name,
              align: 'right' as const,
              cell: ({ index }: { readonly index: number }) => {
                const value = values[index];
                return value === null || value === undefined ? <NotReported /> : format(value);
              },
            })),
          ]}
        />
      </details>
    </figure>
  );
}
