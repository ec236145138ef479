/**
 * What a choice of passages looks like: the inputs of the model for pages that `direct` reads, by
 * position.
 */
export const CHOICE_SIGNS = [
  'expected_f1',
  'expected_recall',
  'page_words',
  'content_share',
  'content_of_kept',
  'left_out',
  'linked',
  'sentences',
  'passages',
  'passage_words',
  'longest',
  'span',
  'page_type',
  'page_images',
  'page_h2',
] as const;

/** A passage that is content with this probability should be kept. */
const PROBABLE = 0.25;

/** What the passage model and the signs of the passages say; lists are by passage. */
export interface JudgedPassages {
  /** The probability that it is content. */
  readonly chances: readonly number[];
  /** Its number of words. */
  readonly sizes: readonly number[];
  /** The share of its text that is in links. */
  readonly linked: readonly number[];
  readonly hasSentence: readonly boolean[];
  /** Signs of the page as a whole. */
  readonly page: Readonly<Record<'page_type' | 'page_images' | 'page_h2', number>>;
}

/** @param isKept by passage */
export function choiceSigns(
  { chances, sizes, linked, hasSentence, page }: JudgedPassages,
  isKept: readonly boolean[],
): Float32Array {
  let total = 0;
  let content = 0;
  let kept = 0;
  let right = 0;
  let leftOut = 0;
  let inLinks = 0;
  let inSentences = 0;
  let passages = 0;
  let longest = 0;
  let span = 0;
  let sinceKept = 0;
  sizes.forEach((size, index) => {
    const chance = chances[index] ?? 0;
    total += size;
    content += chance * size;
    if (passages > 0) sinceKept += size;
    if (!isKept[index]) {
      if (chance >= PROBABLE) leftOut += size;
      return;
    }
    passages += 1;
    kept += size;
    right += chance * size;
    inLinks += (linked[index] ?? 0) * size;
    if (hasSentence[index]) inSentences += size;
    longest = Math.max(longest, size);
    span = passages === 1 ? size : sinceKept;
    if (passages === 1) sinceKept = size;
  });
  const words = Math.max(1, kept);
  return Float32Array.from([
    (2 * right) / Math.max(1, kept + content),
    right / Math.max(1e-6, content),
    Math.log1p(total),
    content / Math.max(1, total),
    content / words,
    leftOut / words,
    inLinks / words,
    inSentences / words,
    Math.log1p(passages),
    Math.log1p(kept / Math.max(1, passages)),
    longest / words,
    kept / Math.max(1, span),
    page.page_type,
    page.page_images,
    page.page_h2,
  ]);
}
