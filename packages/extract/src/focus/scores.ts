import { eachTerm, eachTermOfText } from './terms.ts';

/** What a part of a text is rated by. */
export interface Rated {
  /** How often each term of the query is in it. */
  readonly counts: ReadonlyMap<string, number>;
  /** The terms of the query in the headings that it is below. */
  readonly above: readonly ReadonlySet<string>[];
  /** All its terms. */
  readonly size: number;
}

/** The terms of a query. */
export function termsOf(query: string): ReadonlySet<string> {
  const wanted = new Set<string>();
  eachTerm(query, (term) => wanted.add(term));
  return wanted;
}

/** How often each term of the query is in a text, and how many terms the text has. */
export function countsOf(text: string, wanted: ReadonlySet<string>) {
  const counts = new Map<string, number>();
  let size = 0;
  eachTermOfText(text, wanted, (term) => {
    size += 1;
    if (wanted.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  });
  return { counts, size };
}

/** The parameters of BM25, and what a term in a heading counts for the parts below it. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.5;
const HEADING_WEIGHT = 0.5;

/** Okapi BM25, in which each part of the text is a document. */
export function scoresOf(parts: readonly Rated[], wanted: ReadonlySet<string>): readonly number[] {
  const inParts = new Map<string, number>();
  for (const { counts } of parts) {
    for (const term of counts.keys()) inParts.set(term, (inParts.get(term) ?? 0) + 1);
  }
  const rarity = new Map<string, number>();
  for (const term of wanted) {
    const count = inParts.get(term) ?? 0;
    rarity.set(term, Math.log(1 + (parts.length - count + 0.5) / (count + 0.5)));
  }
  const mean = parts.reduce((sum, { size }) => sum + size, 0) / Math.max(1, parts.length);
  return parts.map(({ counts, above, size }) => {
    const weights = new Map(counts);
    for (const terms of above) {
      for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + HEADING_WEIGHT);
    }
    const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * size) / Math.max(1, mean));
    let score = 0;
    for (const [term, weight] of weights) {
      score += ((rarity.get(term) ?? 0) * weight * (SATURATION + 1)) / (weight + norm);
    }
    return score;
  });
}
