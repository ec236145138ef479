/** The CPU time of a work by its size. */
export interface Growth {
  /** The sizes that were measured, and the milliseconds of each. */
  readonly measured: ReadonlyMap<number, number>;
  /** Milliseconds at the largest size that was measured. */
  readonly cpuMs: number;
  /**
   * The most that a size took in times of what a quarter of it took: linear work has 4, quadratic
   * 16.
   */
  readonly ratio: number;
  /** What is wrong, in one line; undefined = it grows as its size does. */
  readonly fault: string | undefined;
}

export interface GrowthOptions<Given> {
  /** What the work is done on; making it is not measured. */
  readonly given: (size: number) => Given | Promise<Given>;
  readonly work: (given: Given) => unknown;
  /** The largest size. */
  readonly most: number;
  /** For work that takes long at its largest size, though it is linear. */
  readonly cpuMaxMs?: number;
  /** For work that takes little at its largest size. */
  readonly measurableMs?: number;
  /** Measures n, 2n and 4n also where 4n takes too little to matter. */
  readonly isWhole?: boolean;
}

const RATIO_MAX = 9;
/** How often a size that took too much is measured again. */
const AGAIN_MAX = 4;
/** Below this time, the clock and garbage collection decide the ratio. */
const MEASURABLE_MS = 25;
/**
 * The first size is this part of the largest, so that quadratic work fails before it takes minutes.
 */
const FIRST_PART = 64;
/**
 * What the largest size may take at once, even if it grew with the square. Otherwise it is reached
 * in steps.
 */
const STEP_MAX_MS = 10_000;
/**
 * More than this is wrong at any size. The longest linear work takes 2 to 3.2 seconds by the speed
 * of the machine, which differs by half from day to day.
 */
const CPU_MAX_MS = 8_000;

/**
 * Does a work in growing sizes, up to `most`, and compares the CPU time of this process, with its
 * threads, at each size with that at a quarter of it. Other programs on the machine change CPU
 * times far less than they change what a clock shows.
 */
export async function growthOf<Given>(options: GrowthOptions<Given>): Promise<Growth> {
  const { most, cpuMaxMs = CPU_MAX_MS, measurableMs = MEASURABLE_MS, isWhole = false } = options;
  const measured = new Map<number, number>();
  const cpuAt = async (size: number): Promise<number> => {
    const cpuMs = measured.get(size) ?? (await measure(options, size));
    measured.set(size, cpuMs);
    return cpuMs;
  };
  let ratio = 0;
  let size = most;
  while (size > Math.max(most / FIRST_PART, 1)) size = quotient(size, 2);
  for (;;) {
    let cpuMs = await cpuAt(size);
    if (cpuMs > Math.min(RATIO_MAX * measurableMs, cpuMaxMs) || (isWhole && size === most)) {
      const quarter = quotient(size, 4);
      const ratioNow = async () => cpuMs / Math.max(await cpuAt(quarter), measurableMs);
      const isTooMuch = async () => cpuMs > cpuMaxMs || (await ratioNow()) > RATIO_MAX;
      // garbage collection and other work only add to a time
      for (let again = 0; again < AGAIN_MAX && (await isTooMuch()); again += 1) {
        cpuMs = Math.min(cpuMs, await measure(options, size));
      }
      measured.set(size, cpuMs);
      ratio = Math.max(ratio, await ratioNow());
      const fault = `${size} take ${cpuMs.toFixed(0)} ms of CPU time, a quarter of it ${(await cpuAt(quarter)).toFixed(0)} ms`;
      if (await isTooMuch()) return { measured, cpuMs, ratio, fault };
    }
    if (size === most) return { measured, cpuMs, ratio, fault: undefined };
    const isShort = cpuMs * (most / size) ** 2 < STEP_MAX_MS;
    size = isShort && !isWhole ? most : next(size, most);
  }
}

const quotient = (size: number, by: number): number => Math.max(1, Math.floor(size / by));

/** The size after this one on the way to the largest, which halving the largest also reaches. */
function next(size: number, most: number): number {
  let after = most;
  while (quotient(after, 2) > size) after = quotient(after, 2);
  return after;
}

async function measure<Given>(
  { given, work }: GrowthOptions<Given>,
  size: number,
): Promise<number> {
  const made = await given(size);
  const before = process.cpuUsage();
  await work(made);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
