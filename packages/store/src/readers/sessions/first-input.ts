import { cutCodePoints } from '@trawl/base';
import { isJsonObject } from '@trawl/contract';

/** Characters of a request that are read for a list. */
export const INPUT_READ = 4_000;
const SHOWN = 300;

export interface FirstInput {
  /** The first query or URL; null without one. */
  readonly input: string | null;
  /** Queries or URLs; null where the text is cut. */
  readonly count: number | null;
}

/** @param text the first `INPUT_READ` characters of a recorded input */
export function firstInput(text: string | null): FirstInput {
  if (text === null) return { input: null, count: 0 };
  const value = text.length < INPUT_READ ? parsed(text) : undefined;
  if (value === undefined) return { input: shown(firstLiteral(text)), count: null };
  if (!isJsonObject(value)) return { input: null, count: 0 };
  const { query, queries, urls } = value;
  if (typeof query === 'string') return { input: shown(query), count: 1 };
  const list: readonly unknown[] = [queries, urls].find(Array.isArray) ?? [];
  const [first] = list;
  const input = isJsonObject(first) ? first.query : first;
  return { input: shown(typeof input === 'string' ? input : null), count: list.length };
}

const shown = (text: string | null): string | null => text && cutCodePoints(text, SHOWN);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const STARTS = ['"query":"', '"urls":["'];

/** The first query or URL of a text that is cut somewhere. */
function firstLiteral(text: string): string | null {
  const places = STARTS.flatMap((start) => {
    const place = text.indexOf(start);
    return place < 0 ? [] : [place + start.length];
  });
  if (places.length === 0) return null;
  const start = Math.min(...places);
  const escapes = /\\(?:u[0-9a-f]{4}|.)/gi;
  const end = text
    .slice(start)
    .replace(escapes, (found) => '_'.repeat(found.length))
    .indexOf('"');
  const literal = end < 0 ? text.slice(start) : text.slice(start, start + end);
  // the cut may split an escape, which has six characters at most
  for (let left = 0; left <= 6; left += 1) {
    const value = parsed(`"${literal.slice(0, literal.length - left)}"`);
    if (typeof value === 'string') return value;
  }
  return null;
}
