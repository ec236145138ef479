import { classNames } from '../../../parts/class-names.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Duration } from '../../../parts/value.tsx';
import { VirtualList } from '../../../parts/virtual-list.tsx';
import { Cost } from '../shared/cost.tsx';
import { counted } from '../shared/words.ts';
import styles from './interaction.module.css';
import { type RunRow, spentOn } from './waterfall.ts';

interface RunsProps {
  readonly runs: readonly RunRow[];
  readonly selected: string | undefined;
  readonly onSelect: (run: RunRow) => void;
}

const ROW_HEIGHT = 52;

/** All runs with how long they took. One of them is shown below. */
export function Runs({ runs, selected, onSelect }: RunsProps) {
  return (
    <section className="stack-tight" aria-label="Waterfall of runs">
      <p className="soft">
        The record says how long each run took, not when it began: bars start together
        {runs.some(({ isFallback }) => isFallback) &&
          ', those of a fallback behind the runs that they replace'}
        .
      </p>
      <VirtualList
        label="Runs"
        role="list"
        items={runs}
        itemKey={({ id }) => id}
        rowHeight={ROW_HEIGHT}
        height="40vh"
        renderItem={(run) => (
          // biome-ignore lint/a11y/useSemanticElements: the list is a frame that scrolls
          <div role="listitem">
            <button
              type="button"
              className={classNames(styles.run, run.status === 'failed' && styles.failed)}
              aria-current={run.id === selected || undefined}
              onClick={() => onSelect(run)}
            >
              <span className={styles.runName}>
                <Icon
                  name={run.status === 'failed' ? 'alert' : run.isPostprocessor ? 'route' : 'plug'}
                />
                <span className="cut">
                  <strong>{run.name}</strong> <span dir="auto">{run.query}</span>
                </span>
              </span>
              <span className={styles.track} aria-hidden="true">
                {run.share !== null && (
                  <span
                    style={{ marginLeft: `${run.start * 100}%`, width: `${run.share * 100}%` }}
                  />
                )}
              </span>
              <span className={styles.runFacts}>
                {run.status === 'failed' ? <span>{run.errorCode ?? 'failed'}</span> : null}
                {run.isFallback && <span>fallback</span>}
                {run.found !== null && <span>{counted(run.found, 'row')}</span>}
                {run.warningCount > 0 && <span>{counted(run.warningCount, 'warning')}</span>}
                <Duration ms={run.latencyMs} />
                {!run.isPostprocessor && <Cost cost={spentOn(run.calls)} />}
              </span>
            </button>
          </div>
        )}
      />
    </section>
  );
}
