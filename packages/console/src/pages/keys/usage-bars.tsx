import type { ConsoleKey } from '@trawl/contract/console';
import { wholeText } from '../../parts/number-text.ts';
import styles from './keys.module.css';

const WIDTH = 108;
const HEIGHT = 22;

/** The calls of the last hours as small bars: those that failed on top. The numbers are its text. */
export function UsageBars({ usage: { succeeded, failed } }: Pick<ConsoleKey, 'usage'>) {
  const sums = succeeded.map((count, index) => count + (failed[index] ?? 0));
  const total = sum(sums);
  if (total === 0) return <span className="soft">none in {sums.length} h</span>;
  const text = `${wholeText(total)} calls in ${sums.length} hours, ${wholeText(sum(failed))} failed`;
  const step = WIDTH / sums.length;
  const scale = HEIGHT / Math.max(...sums);
  const bar = (index: number, from: number, count: number) => ({
    x: index * step,
    width: step - 1,
    y: HEIGHT - (from + count) * scale,
    height: count * scale,
  });
  return (
    <svg
      className={styles.bars}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      {sums.map((_, index) => {
        const good = succeeded[index] ?? 0;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an hour is its place
          <g key={index}>
            <rect className={styles.succeeded} {...bar(index, 0, good)} />
            <rect className={styles.failed} {...bar(index, good, failed[index] ?? 0)} />
          </g>
        );
      })}
    </svg>
  );
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
