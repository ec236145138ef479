import { createHash } from 'node:crypto';

type Part = string | number;

/** Hex SHA-256 over the parts; every id in an answer is derived from it. */
export function digest(...parts: readonly Part[]): string {
  return createHash('sha256').update(parts.join('\u0000')).digest('hex');
}

/** An id in the format of RFC 4122, made from a hex digest. */
export function uuidFrom(hex: string): string {
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4] ?? '8';
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** FNV-1a over the parts, enough to seed a generator. */
function seedOf(parts: readonly Part[]): number {
  let hash = 0x811c9dc5;
  for (const character of parts.join('\u0000')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash >>> 0;
}

/** Repeatable randomness: equal parts give the same numbers in the same order. */
export interface Dice {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  /** One of the list, which must not be empty. */
  pick<T>(list: readonly T[]): T;
}

/** A mulberry32 generator keyed by the parts. */
export function diceFor(...parts: readonly Part[]): Dice {
  let state = seedOf(parts);
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]) => {
      const [picked] = list.slice(below(list.length));
      if (picked === undefined) throw new RangeError('the list is empty');
      return picked;
    },
  };
}
