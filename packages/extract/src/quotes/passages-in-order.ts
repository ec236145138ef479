/** A stretch of units, its end not included. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The most units that an ellipsis may leave out. */
const GAP_MAX = 5_000;

/** Reads all places of a sequence in linear time, overlapping ones too (Knuth, Morris, Pratt). */
export function createFinder(wanted: Uint16Array) {
  const table = borders(wanted);
  const { length } = wanted;
  return (
    units: Uint16Array,
    /** Returns true to stop. */
    found: (stretch: Stretch) => boolean,
  ): void => {
    if (length === 0) return;
    let matched = 0;
    for (let at = 0; at < units.length; at += 1) {
      const unit = units[at];
      while (matched > 0 && wanted[matched] !== unit) matched = table[matched - 1] ?? 0;
      if (wanted[matched] === unit) matched += 1;
      if (matched < length) continue;
      if (found({ start: at + 1 - length, end: at + 1 })) return;
      matched = table[length - 1] ?? 0;
    }
  };
}

export type Finder = ReturnType<typeof createFinder>;

/** For each beginning of a sequence the length of its longest end that is a beginning too. */
function borders(wanted: Uint16Array): Uint16Array {
  const table = new Uint16Array(wanted.length);
  let length = 0;
  for (let at = 1; at < wanted.length; at += 1) {
    while (length > 0 && wanted[at] !== wanted[length]) length = table[length - 1] ?? 0;
    if (wanted[at] === wanted[length]) length += 1;
    table[at] = length;
  }
  return table;
}

/** Calls `found` with each place that has these parts in order, with gaps between them. */
export function eachInOrder(
  finders: readonly Finder[],
  units: Uint16Array,
  found: (stretch: Stretch) => boolean,
): void {
  const last = finders.at(-1);
  if (last === undefined) return;
  let before: readonly Stretch[] | undefined;
  for (const finder of finders.slice(0, -1)) {
    const reached: Stretch[] = [];
    const follow = following(before);
    finder(units, ({ start, end }) => {
      const from = follow(start);
      if (from !== undefined) reached.push({ start: from, end });
      return false;
    });
    if (reached.length === 0) return;
    before = reached;
  }
  const follow = following(before);
  last(units, ({ start, end }) => {
    const from = follow(start);
    return from !== undefined && found({ start: from, end });
  });
}

/**
 * Where the chain of parts begins that ends next before a place; undefined = absent within
 * the gap. Places must grow from call to call.
 */
function following(before: readonly Stretch[] | undefined) {
  let at = -1;
  return (start: number): number | undefined => {
    if (!before) return start;
    while ((before[at + 1]?.end ?? Number.POSITIVE_INFINITY) <= start) at += 1;
    const nearest = before[at];
    return nearest && start - nearest.end <= GAP_MAX ? nearest.start : undefined;
  };
}
