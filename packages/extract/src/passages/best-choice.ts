import { STAGES } from '../rules/rules.ts';
import type { SignedPage } from './passage-signs.ts';

/** A passage that is content with less probability than this is never kept. */
const KEPT_FROM = 0.25;
/** From this probability on, a passage is surely content. */
const SURE = 0.9;
/**
 * An article that has this share of sure words needs no unsure ones: those are comments and other
 * articles.
 */
const SURE_SHARE = 0.5;
/** What is kept of such an article: of passages that the rules keep too, and of others. */
const KEPT_IN_ARTICLE = { ruled: 0.6, other: 0.65 };

/**
 * Chooses the passages with which the expected F1 of the words is the highest.
 * @param chances of each passage to be content
 * @param sizes the number of words of each
 * @returns by passage: whether it is kept
 */
export function bestChoice(
  chances: readonly number[],
  sizes: readonly number[],
  { kind, stages }: Pick<SignedPage, 'kind' | 'stages'>,
): readonly boolean[] {
  const limit = limitOfBestF1(chances, sizes);
  const wordsFrom = (from: number): number =>
    sizes.reduce((sum, size, index) => sum + ((chances[index] ?? 0) >= from ? size : 0), 0);
  const isSure =
    kind === 'article' && wordsFrom(SURE) >= SURE_SHARE * Math.max(1, wordsFrom(limit));
  if (!isSure) return chances.map((chance) => chance >= limit);
  const { ruled, other } = KEPT_IN_ARTICLE;
  return chances.map((chance, index) => chance >= (stages[index] === STAGES.kept ? ruled : other));
}

function limitOfBestF1(chances: readonly number[], sizes: readonly number[]): number {
  const passages = chances
    .map((chance, index) => ({ chance, size: sizes[index] ?? 0 }))
    .sort((one, other) => other.chance - one.chance);
  const content = passages.reduce((sum, { chance, size }) => sum + chance * size, 0);
  let kept = 0;
  let right = 0;
  let best = 0;
  let limit = 1;
  for (const { chance, size } of passages) {
    if (chance < KEPT_FROM) break;
    kept += size;
    right += chance * size;
    const expected = (2 * right) / Math.max(1, kept + content);
    if (expected < best) continue;
    best = expected;
    limit = chance;
  }
  return limit;
}
