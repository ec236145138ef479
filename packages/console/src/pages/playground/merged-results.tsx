import type { SearchRun } from '@trawl/contract';
import { classNames } from '../../parts/class-names.ts';
import { ExternalLink } from '../../parts/external-link.tsx';
import { EmptyState } from '../../parts/region.tsx';
import { type MatrixRow, matrixOf } from './result-matrix.ts';
import styles from './results.module.css';
import { type Marking, withoutScheme } from './run-column.tsx';

interface MergedProps extends Pick<Marking, 'marked'> {
  readonly runs: readonly SearchRun[];
}

/** One list per query with each page once, and who found it at which rank. */
export function Merged({ runs, marked }: MergedProps) {
  const queries = [...new Set(runs.map((run) => run.batch_index))].sort(
    (one, other) => one - other,
  );
  return (
    <div className="stack">
      {queries.map((index) => {
        const own = runs.filter((run) => run.batch_index === index);
        return (
          <section key={index} className="stack" aria-label={`Merged list of query ${index + 1}`}>
            {queries.length > 1 && (
              <h2 className={styles.queryName}>
                {index + 1}. {own[0]?.query}
              </h2>
            )}
            <MergedList runs={own} marked={marked} />
          </section>
        );
      })}
    </div>
  );
}

function MergedList({ runs, marked }: MergedProps) {
  const rows = matrixOf(runs);
  if (rows.length === 0) {
    return <EmptyState icon="search" text="There are no rows with addresses to merge." />;
  }
  return (
    <ol className={styles.rows}>
      {rows.map((row, index) => (
        <li key={row.url} className={classNames(styles.row, row.url === marked && styles.marked)}>
          <MergedRow row={row} place={index + 1} runs={runs} />
        </li>
      ))}
    </ol>
  );
}

interface MergedRowProps {
  readonly row: MatrixRow;
  readonly place: number;
  readonly runs: readonly SearchRun[];
}

function MergedRow({ row: { url, title, ranks, best }, place, runs }: MergedRowProps) {
  const finds = runs.flatMap(({ id, preprocessor_name: name }) => {
    const rank = ranks.get(id);
    return rank === undefined ? [] : [`${name} #${rank}`];
  });
  const text = best.summary ?? best.excerpt;
  return (
    <>
      <div className={styles.rowHead}>
        <span className={styles.rank}>{place}</span>
        <span className={styles.title}>
          <ExternalLink href={url}>{title || url}</ExternalLink>
          <span className={styles.address}>{withoutScheme(url)}</span>
        </span>
      </div>
      {text && (
        <span className={styles.summary} dir="auto">
          {text}
        </span>
      )}
      <span className="soft">
        Found by {finds.join(', ')}
        {best.publish_date && `, published ${best.publish_date.slice(0, 10)}`}
      </span>
    </>
  );
}
