import { cutText } from './cut.ts';

/** How much of an answer is kept. */
export interface Cut {
  /** Characters of each text. */
  readonly characters: number;
  /** Rows of each run. */
  readonly rows: number;
  readonly runs: number;
  /** Keeps only the readable fields of rows, and nothing else of a run. */
  readonly isLean: boolean;
}

export interface Fitted<Made> {
  readonly made: Made;
  readonly isWhole: boolean;
}

const ALL = Number.POSITIVE_INFINITY;
const WHOLE: Cut = { characters: ALL, rows: ALL, runs: ALL, isLean: false };
/** Rows are dropped before texts get shorter than this. */
const SHORT = 300;
/** Tried in turn when short texts are still too long. */
const STEPS: readonly Cut[] = [
  { ...WHOLE, characters: SHORT },
  ...[ALL, 10, 5, 3, 2, 1].map((rows) => ({ ...WHOLE, characters: SHORT, rows, isLean: true })),
];
const LAST_RESORTS: readonly Cut[] = [
  { characters: 120, rows: 1, runs: ALL, isLean: true },
  { characters: 120, rows: 0, runs: 100, isLean: true },
  { characters: 120, rows: 0, runs: 20, isLean: true },
];
const NOTHING: Cut = { characters: 120, rows: 0, runs: 0, isLean: true };

/**
 * Keeps as much as fits: shortens long texts first, all to the same length, then drops other
 * fields, then rows, then runs.
 */
export function fitted<Made>(
  make: (cut: Cut) => Made,
  sizeOf: (made: Made) => number,
  budget: number,
): Fitted<Made> {
  const fits = (made: Made): boolean => sizeOf(made) <= budget;
  const whole = make(WHOLE);
  if (fits(whole)) return { made: whole, isWhole: true };
  for (const step of STEPS) {
    const made = make(step);
    if (!fits(made)) continue;
    const ofLength = (characters: number) => make({ ...step, characters });
    return { made: longest(made, ofLength, fits, budget), isWhole: false };
  }
  const small = LAST_RESORTS.map(make).find(fits);
  return { made: small ?? make(NOTHING), isWhole: false };
}

/** The version with the longest texts that fits. */
function longest<Made>(
  shortest: Made,
  ofLength: (characters: number) => Made,
  fits: (made: Made) => boolean,
  budget: number,
): Made {
  let best = shortest;
  let [low, high] = [SHORT, budget];
  while (high - low > 50) {
    const middle = Math.floor((low + high) / 2);
    const made = ofLength(middle);
    if (fits(made)) [best, low] = [made, middle];
    else high = middle;
  }
  return best;
}

const URL_CHARACTERS = 2_048;
const isUrl = (text: string): boolean =>
  text.length <= URL_CHARACTERS && /^https?:\/\/\S+$/.test(text);

/** A copy with shorter texts and lists. URLs stay whole, since half a URL is useless. */
export function shortened<Value>(value: Value, characters: number): Value {
  // the shape stays the same: only strings and lists get shorter
  return shortenedJson(value, characters) as Value;
}

function shortenedJson(value: unknown, characters: number): unknown {
  if (typeof value === 'string') return isUrl(value) ? value : cutText(value, characters);
  if (Array.isArray(value)) {
    const most = Math.max(5, Math.floor(characters / 20));
    return value.slice(0, most).map((item) => shortenedJson(item, characters));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, shortenedJson(inner, characters)]),
  );
}
