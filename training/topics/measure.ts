import { TOPICS, type Topic } from '@trawl/contract';

/** The label of an example and the classifier's answer. */
export interface Judgement {
  readonly wanted: Topic;
  readonly found: Topic;
}

export interface Measures {
  readonly queries: number;
  readonly accuracy: number;
  /** The mean over topics of the harmonic mean of precision and recall. */
  readonly macroF1: number;
  /** Row: expected topic; column: found topic; both in the order of `TOPICS`. */
  readonly confusion: readonly (readonly number[])[];
}

export function measure(judgements: readonly Judgement[]): Measures {
  const confusion = TOPICS.map((wanted) =>
    TOPICS.map(
      (found) => judgements.filter((one) => one.wanted === wanted && one.found === found).length,
    ),
  );
  const at = (row: number, column: number) => confusion[row]?.[column] ?? 0;
  const right = TOPICS.map((_, topic) => at(topic, topic));
  const present = TOPICS.flatMap((_, topic) => (sum(confusion[topic] ?? []) > 0 ? [topic] : []));
  const scores = present.map((topic) => {
    const wanted = sum(confusion[topic] ?? []);
    const found = sum(confusion.map((row) => row[topic] ?? 0));
    return (2 * at(topic, topic)) / (wanted + found);
  });
  return {
    queries: judgements.length,
    accuracy: sum(right) / judgements.length,
    macroF1: sum(scores) / present.length,
    confusion,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The confusion matrix as the rows of a Markdown table. */
export function confusionLines({ confusion }: Measures): string[] {
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    row(['wanted \\ found', ...TOPICS]),
    row(['---', ...TOPICS.map(() => '--:')]),
    ...confusion.map((counts, index) => row([TOPICS[index] ?? '', ...counts])),
  ];
}
