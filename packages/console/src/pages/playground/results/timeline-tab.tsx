import { classNames } from '../../../parts/class-names.ts';
import { durationText } from '../../../parts/time-text.ts';
import { Duration } from '../../../parts/value.tsx';
import type { RunState } from '../run/run-state.ts';
import { fetchTimeline, lastEnd, searchTimeline } from '../run/timeline.ts';
import styles from './results.module.css';

/** How long each part took, on one scale. */
export function TimelineTab({ state }: { readonly state: RunState }) {
  const isSearch = state.request.mode === 'search';
  const rows = isSearch ? searchTimeline(state.runs) : fetchTimeline(state.pages);
  const endMs = lastEnd(rows);
  return (
    <div className="stack">
      <p className="soft">
        {isSearch
          ? 'All runs of a query start together, those of a fallback behind them. A run that had no call has no bar.'
          : 'Each page goes through its chain. The steps are known at the tiers extended and max.'}{' '}
        The scale ends at {durationText(endMs)}.
      </p>
      <ol className={styles.timeline}>
        {rows.map(({ key, label, segments }) => (
          <li key={key}>
            <span className={classNames('cut', styles.timelineName)} title={label}>
              {label}
            </span>
            <span className={styles.track}>
              {segments.map(({ startMs, lengthMs, isFailed }, index) => (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: the order is what it says
                  key={index}
                  className={classNames(styles.bar, isFailed && styles.failedBar)}
                  style={{
                    left: `${(startMs / endMs) * 100}%`,
                    width: `${((lengthMs ?? 0) / endMs) * 100}%`,
                  }}
                />
              ))}
            </span>
            <span className={styles.timelineText}>
              {segments.map(({ label: what, lengthMs }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the order is what it says
                <span key={index}>
                  {what}, {lengthMs === null ? 'not asked' : <Duration ms={lengthMs} />}
                </span>
              ))}
              {state.arrivals.has(key) && (
                <span className="soft">
                  here after {durationText(state.arrivals.get(key) ?? 0)}
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
