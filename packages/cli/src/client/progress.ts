const WIDTH = 20;
const CLEAR = '\r\u001b[K';

/** A bar below what is printed. */
export interface Progress {
  /** Prints with the bar out of the way. */
  around(print: () => void): void;
  /** Counts an item once, however often it is named. */
  reached(item: number): void;
  end(): void;
}

/** A bar on standard error; none where that is no terminal, or for a single item. */
export function progressOf(total: number, noun: string): Progress {
  if (process.stderr.isTTY !== true || total < 2) {
    return { around: (print) => print(), reached: () => {}, end: () => {} };
  }
  const seen = new Set<number>();
  const startedAt = performance.now();
  const clear = () => void process.stderr.write(CLEAR);
  const draw = () => {
    const filled = Math.round((seen.size / total) * WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stderr.write(`${CLEAR}${bar} ${seen.size} of ${total} ${noun}, ${seconds} s`);
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
