import { createWriteStream, readFileSync } from 'node:fs';
import { bestChoice } from '../../packages/extract/src/passages/best-choice.ts';
import { judgePassages } from '../../packages/extract/src/passages/choose-passages.ts';
import { CHOICE_SIGNS, choiceSigns } from '../../packages/extract/src/quality/choice-signs.ts';
import {
  TEXT_QUALITY_SIGNS,
  textQualitySigns,
} from '../../packages/extract/src/quality/text-quality-signs.ts';
import { STAGES } from '../../packages/extract/src/rules/rules.ts';
import type { BenchmarkPage } from './benchmark-pages.ts';
import { preparedPage } from './prepared-page.ts';
import { textVariants, withoutMarks } from './text-variants.ts';
import { wordScore } from './word-score.ts';

/** A reading of a page, with the F1 that its quality is to predict. */
interface Example {
  readonly model: 'choice' | 'text';
  /** Which reading of the page it is. */
  readonly variant: string;
  readonly signs: Float32Array;
  readonly f1: number;
}

/**
 * Writes what `train_quality.py` learns from: `FILE.jsonl` has the names of the signs, then a line
 * for each reading of each page.
 * @param pages the same, in the same order, as those of `dumpSigns`
 * @param chances the file with what a model that has not seen a page says of its passages, as
 * `train.py --held-out` writes it
 */
export async function dumpQuality(
  pages: Iterable<BenchmarkPage>,
  file: string,
  chances: string,
): Promise<void> {
  const bytes = readFileSync(chances);
  const heldOut = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const lines = createWriteStream(`${file}.jsonl`);
  lines.write(`${JSON.stringify({ choice: CHOICE_SIGNS, text: TEXT_QUALITY_SIGNS })}\n`);
  let at = 0;
  for (const page of pages) {
    const nextChance = (): number => heldOut[at++] ?? 0;
    for (const { signs, ...example } of [
      ...choiceExamples(page, nextChance),
      ...(await textExamples(page)),
    ]) {
      lines.write(`${JSON.stringify({ url: page.url, ...example, signs: [...signs] })}\n`);
    }
  }
  if (at !== heldOut.length) throw new Error(`${chances} is of other pages`);
  lines.end();
}

/** The readings of the model and of the rules. */
function choiceExamples(page: BenchmarkPage, nextChance: () => number): readonly Example[] {
  const signed = preparedPage(page.html, page.url);
  const { kind, passages, stages } = signed;
  const judged = judgePassages(signed, nextChance);
  const readings = {
    model: bestChoice(judged.chances, judged.sizes, { kind, stages }),
    rules: stages.map((stage) => stage === STAGES.kept),
  };
  return Object.entries(readings).flatMap(([variant, isKept]): readonly Example[] => {
    const text = passages.filter((_, index) => isKept[index]).map((passage) => passage.text);
    // a reading without text has no quality
    if (text.length === 0) return [];
    const f1 = wordScore(text.join('\n'), page.expected).f1;
    return [{ model: 'choice', variant, signs: choiceSigns(judged, isKept), f1 }];
  });
}

async function textExamples(page: BenchmarkPage): Promise<readonly Example[]> {
  return (await textVariants(page)).map(({ name, content }) => ({
    model: 'text',
    variant: name,
    signs: textQualitySigns(content),
    f1: wordScore(withoutMarks(content), page.expected).f1,
  }));
}
