import type { Stretch } from './passages-in-order.ts';

/** A stretch of a text and its edit distance from a quote, in UTF-16 units. */
export interface NearStretch extends Stretch {
  readonly distance: number;
}

/** The most edits, as a part of the length of a quote. */
const EDITS_PART = 0.15;
/** In a shorter text a few edits make another one. */
const LENGTH_MIN = 12;
/** A sequence of this length that a quote and a text share is a trace of it. */
const GRAM = 4;
/** The places of one text that are compared letter by letter. */
const PLACES_MAX = 3;
const GRAM_HASHES = 1 << 16;

/** The short sequences of a text, each as a number below `GRAM_HASHES`. */
function gramsOf(units: Uint16Array): Uint16Array {
  const grams = new Uint16Array(Math.max(0, units.length - GRAM + 1));
  for (let at = 0; at < grams.length; at += 1) {
    let hash = units[at] ?? 0;
    for (let next = 1; next < GRAM; next += 1) {
      hash = Math.imul(hash, 0x9e35) + (units[at + next] ?? 0);
    }
    grams[at] = hash ^ (hash >>> 16);
  }
  return grams;
}

/** Units with their short sequences, which are made when they are first asked for. */
export interface UnitsWithGrams {
  readonly units: Uint16Array;
  readonly grams: () => Uint16Array;
}

export function withGrams(units: Uint16Array): UnitsWithGrams {
  let grams: Uint16Array | undefined;
  return {
    units,
    grams: () => {
      grams ??= gramsOf(units);
      return grams;
    },
  };
}

/** One table for all quotes: filling one costs more than searching with it. */
const isWanted = new Uint8Array(GRAM_HASHES);

/**
 * The stretch of a text with the smallest distance from a quote; undefined = none has at most that
 * many edits. A quote with k edits keeps all but 4 k of its sequences of four, so one pass over
 * the text finds where enough of them are together, and only the best of these places are
 * compared. Time grows with the text, and for the places with the square of the quote.
 */
export function nearestStretch(
  { units: quote, grams: wanted }: UnitsWithGrams,
  { units, grams }: UnitsWithGrams,
  most: number,
): NearStretch | undefined {
  if (units.length < quote.length - most) return undefined;
  let best: NearStretch | undefined;
  for (const { end, count } of likelyPlaces(wanted(), grams(), most)) {
    const limit = best ? best.distance - 1 : most;
    // what the missing sequences show already
    if (Math.ceil((quote.length - GRAM + 1 - count) / GRAM) > limit) continue;
    const from = Math.max(0, end - quote.length - 2 * most - GRAM);
    const region = units.subarray(from, end + most + GRAM);
    const found = nearestIn(quote, region, limit);
    if (found) {
      best = { start: from + found.start, end: from + found.end, distance: found.distance };
    }
  }
  return best;
}

/** The most edits with which a passage is near a quote of this length; 0 = it is too short. */
export const editsMax = (length: number): number =>
  length < LENGTH_MIN ? 0 : Math.floor(EDITS_PART * length);

interface Place {
  /** The last sequence of the window. */
  readonly end: number;
  /** The sequences in the window that the quote has too. */
  readonly count: number;
}

/** The windows with the most sequences of a quote, best first, which do not overlap much. */
function likelyPlaces(wanted: Uint16Array, grams: Uint16Array, most: number): readonly Place[] {
  for (const gram of wanted) isWanted[gram] = 1;
  const least = Math.max(1, wanted.length - GRAM * most);
  const window = wanted.length + most;
  const best: Place[] = [];
  const keep = (place: Place | undefined): void => {
    if (!place) return;
    const worse = best.findIndex(({ count }) => count < place.count);
    best.splice(worse < 0 ? best.length : worse, 0, place);
    best.length = Math.min(best.length, PLACES_MAX);
  };
  let peak: Place | undefined;
  let count = 0;
  for (let at = 0; at < grams.length; at += 1) {
    count += isWanted[grams[at] ?? 0] ?? 0;
    if (at >= window) count -= isWanted[grams[at - window] ?? 0] ?? 0;
    if (count < least) continue;
    if (peak && at - peak.end > window) {
      keep(peak);
      peak = undefined;
    }
    if (!peak || count > peak.count) peak = { end: at, count };
  }
  keep(peak);
  for (const gram of wanted) isWanted[gram] = 0;
  return best;
}

/**
 * The part of a region that is nearest to a quote (Sellers), reading only the rows that can still
 * stay within the limit (Ukkonen).
 */
function nearestIn(
  quote: Uint16Array,
  region: Uint16Array,
  limit: number,
): NearStretch | undefined {
  const { length } = quote;
  const edits = Uint16Array.from({ length: length + 1 }, (_, row) => row);
  const starts = new Uint32Array(length + 1);
  let best: NearStretch | undefined;
  let active = Math.min(limit + 1, length);
  let left = limit;
  for (let at = 0; at < region.length; at += 1) {
    const unit = region[at];
    let diagonal = 0;
    let diagonalStart = at;
    starts[0] = at + 1;
    for (let row = 1; row <= active; row += 1) {
      const above = edits[row - 1] ?? 0;
      const before = edits[row] ?? 0;
      const beforeStart = starts[row] ?? 0;
      let value = diagonal + (quote[row - 1] === unit ? 0 : 1);
      let start = diagonalStart;
      if (above + 1 < value) {
        value = above + 1;
        start = starts[row - 1] ?? 0;
      }
      if (before + 1 < value) {
        value = before + 1;
        start = beforeStart;
      }
      edits[row] = value;
      starts[row] = start;
      diagonal = before;
      diagonalStart = beforeStart;
    }
    while (active > 0 && (edits[active] ?? 0) > left) active -= 1;
    if (active === length) {
      const distance = edits[length] ?? 0;
      best = { start: starts[length] ?? 0, end: at + 1, distance };
      if (distance === 0) return best;
      // only a smaller one is wanted from now on
      left = distance - 1;
      while (active > 0 && (edits[active] ?? 0) > left) active -= 1;
    }
    if (active < length) {
      active += 1;
      edits[active] = left + 1;
    }
  }
  return best;
}
