import type { SearchRun } from '@trawl/contract';
import { useMemo, useState } from 'react';
import { classNames } from '../../parts/class-names.ts';
import { ExternalLink } from '../../parts/external-link.tsx';
import { matrixOf } from './result-matrix.ts';
import styles from './results.module.css';
import { type Marking, withoutScheme } from './run-column.tsx';
import { Segmented } from './segmented.tsx';

interface SideBySideProps extends Pick<Marking, 'marked' | 'onMark'> {
  readonly runs: readonly SearchRun[];
}

/** Which provider found which page at which rank. */
export function SideBySide({ runs, marked, onMark }: SideBySideProps) {
  const queries = [...new Set(runs.map((run) => run.batch_index))].sort(
    (one, other) => one - other,
  );
  const [chosen, setChosen] = useState(0);
  const index = queries.includes(chosen) ? chosen : (queries[0] ?? 0);
  const shown = useMemo(() => runs.filter((run) => run.batch_index === index), [runs, index]);
  const rows = useMemo(() => matrixOf(shown), [shown]);
  const common = rows.filter(({ ranks }) => ranks.size > 1).length;
  return (
    <div className="stack">
      {queries.length > 1 && (
        <Segmented
          label="Query"
          value={String(index)}
          segments={queries.map((each) => ({ value: String(each), label: String(each + 1) }))}
          onChange={(value) => setChosen(Number(value))}
        />
      )}
      <p>
        {rows.length === 1 ? '1 page' : `${rows.length} pages`}, {common} found by more than one
        provider.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus */}
      <section className={styles.matrixFrame} tabIndex={0} aria-label="Pages and providers">
        <table className={styles.matrix}>
          <caption className="visually-hidden">Rank of each page at each provider</caption>
          <thead>
            <tr>
              <th scope="col">Page</th>
              {shown.map((run) => (
                <th key={run.id} scope="col">
                  {run.preprocessor_name}
                  {run.status === 'failed' && <small>failed</small>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ url, title, ranks }) => (
              <tr key={url} className={classNames(url === marked && styles.marked)}>
                <th scope="row">
                  <ExternalLink href={url}>{title || url}</ExternalLink>
                  <span className={styles.address}>{withoutScheme(url)}</span>
                </th>
                {shown.map((run) => (
                  <RankCell
                    key={run.id}
                    run={run}
                    rank={ranks.get(run.id)}
                    isMarked={url === marked}
                    onMark={() => onMark(url === marked ? null : url)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

interface RankCellProps {
  readonly run: SearchRun;
  readonly rank: number | undefined;
  readonly isMarked: boolean;
  readonly onMark: () => void;
}

function RankCell({ run, rank, isMarked, onMark }: RankCellProps) {
  if (run.status === 'failed') {
    return (
      <td className={styles.failedCell}>
        <span className="visually-hidden">failed</span>
      </td>
    );
  }
  if (rank === undefined) {
    return (
      <td className="soft">
        <span aria-hidden="true">·</span>
        <span className="visually-hidden">not found</span>
      </td>
    );
  }
  return (
    <td>
      <button
        type="button"
        className={styles.mark}
        aria-pressed={isMarked}
        aria-label={`Rank ${rank} at ${run.preprocessor_name}: mark this page everywhere`}
        onClick={onMark}
      >
        {rank}
      </button>
    </td>
  );
}
