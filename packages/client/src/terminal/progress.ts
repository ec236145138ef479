import type { Environment } from './style.ts';

const WIDTH = 20;
/** Assumed when a terminal does not report its size. */
const UNKNOWN_COLUMNS = 80;
const CLEAR = '\r\u001b[K';

/** A progress bar below the printed text. */
export interface Progress {
  /** Removes the bar, prints, and draws it again. */
  around(print: () => void): void;
  /** Counts an item once, even if it is named several times. */
  reached(item: number): void;
  end(): void;
}

/**
 * A bar on standard error. Does nothing for a single item, or where standard error cannot erase a
 * line.
 */
export function progressOf(total: number, noun: string, { TERM }: Environment): Progress {
  if (process.stderr.isTTY !== true || TERM === 'dumb' || total < 2) {
    return { around: (print) => print(), reached: () => {}, end: () => {} };
  }
  const seen = new Set<number>();
  const startedAt = performance.now();
  const clear = () => void process.stderr.write(CLEAR);
  const draw = () => {
    const filled = Math.round((seen.size / total) * WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const count = `${seen.size} of ${total} ${noun}, ${seconds} s`;
    const whole = `${bar} ${count}`;
    // a line that wraps could not be erased
    const width = process.stderr.columns || UNKNOWN_COLUMNS;
    process.stderr.write(CLEAR + (whole.length < width ? whole : count.slice(0, width - 1)));
  };
  draw();
  return {
    around: (print) => {
      clear();
      print();
      draw();
    },
    reached: (item) => {
      if (seen.has(item)) return;
      seen.add(item);
      draw();
    },
    end: clear,
  };
}
