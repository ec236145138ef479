/** The CPU time of a work by its size. */
export interface Growth {
  /** n, 2n and 4n: the largest sizes that were measured. */
  readonly sizes: readonly number[];
  /** Milliseconds of each. */
  readonly cpuMs: readonly number[];
  /** The most that four times the size took in times of what the size took: linear work has 4, quadratic 16. */
  readonly ratio: number;
  /** What is wrong, in one line; undefined = it grows as its size does. */
  readonly fault: string | undefined;
}

const RATIO_MAX = 8;
/** Below this time, the clock and garbage collection decide the ratio. */
const MEASURABLE_MS = 25;
/** The first size is this part of the largest, so that quadratic work fails before it takes minutes. */
const FIRST_PART = 64;
/** More than this is wrong at any size. */
const CPU_MAX_MS = 2_000;

interface GrowthOptions {
  /** For work that takes long at its largest size, though it is linear. */
  readonly cpuMaxMs?: number;
}

/**
 * Does a work in growing sizes, up to `most`, and compares the CPU time of this process, with its threads, at each size with
 * that at a quarter of it. Other programs on the machine change CPU times far less than they change what a clock shows.
 */
export async function growthOf(
  work: (size: number) => unknown,
  most: number,
  { cpuMaxMs = CPU_MAX_MS }: GrowthOptions = {},
): Promise<Growth> {
  const sizes: number[] = [];
  for (let size = most; size >= most / FIRST_PART && size >= 1; size = Math.floor(size / 2)) {
    sizes.unshift(size);
  }
  const cpuMs: number[] = [];
  let ratio = 0;
  for (const [step, size] of sizes.entries()) {
    cpuMs.push(await cpuOf(work, size));
    const quarter = sizes[step - 2];
    if (isTooSlow(cpuMs, step)) {
      // garbage collection and other work only add to it
      cpuMs[step] = Math.min(cpuMs[step] ?? 0, await cpuOf(work, size), await cpuOf(work, size));
      if (quarter !== undefined) cpuMs[step - 2] = await cpuOf(work, quarter);
    }
    ratio = Math.max(ratio, ratioAt(cpuMs, step));
    const shown = () => `${size}: ${rounded(cpuMs.slice(-3))} ms of CPU time`;
    const figures = { sizes: sizes.slice(0, step + 1).slice(-3), cpuMs: cpuMs.slice(-3), ratio };
    if (isTooSlow(cpuMs, step)) return { ...figures, fault: `grows with the square, ${shown()}` };
    if ((cpuMs[step] ?? 0) > cpuMaxMs) return { ...figures, fault: `takes too long, ${shown()}` };
  }
  return { sizes: sizes.slice(-3), cpuMs: cpuMs.slice(-3), ratio, fault: undefined };
}

function ratioAt(cpuMs: readonly number[], step: number): number {
  const [quarter, whole] = [cpuMs[step - 2], cpuMs[step]];
  if (quarter === undefined || whole === undefined) return 0;
  return whole / Math.max(quarter, MEASURABLE_MS);
}

const isTooSlow = (cpuMs: readonly number[], step: number): boolean =>
  ratioAt(cpuMs, step) > RATIO_MAX;

const rounded = (list: readonly number[]): string =>
  list.map((value) => value.toFixed(0)).join(', ');

async function cpuOf(work: (size: number) => unknown, size: number): Promise<number> {
  const before = process.cpuUsage();
  await work(size);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
