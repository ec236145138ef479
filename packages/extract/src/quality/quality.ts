import choiceModelText from './choice-model.tsv?raw';
import { CHOICE_SIGNS, choiceSigns, type JudgedPassages } from './choice-signs.ts';
import { type Forest, readForest, sumOf } from './forest.ts';
import textModelText from './text-model.tsv?raw';
import { TEXT_QUALITY_SIGNS, textQualitySigns } from './text-quality-signs.ts';

/**
 * A predicted quality is the word F1 that a text is expected to have next to the text that a person
 * would take from the page, from 0 to 1. `training/reading/MODEL_CARD.md` says how good the
 * predictions are.
 */
const CHOICE_MODEL = readForest(choiceModelText, CHOICE_SIGNS);
const TEXT_MODEL = readForest(textModelText, TEXT_QUALITY_SIGNS);

/** The predicted quality of a reading of a page of which the passages were judged. */
export const qualityOfChoice = (judged: JudgedPassages, isKept: readonly boolean[]): number =>
  qualityOf(CHOICE_MODEL, choiceSigns(judged, isKept));

/** A page with fewer words in all has too little to be judged by. */
const WORDS_MIN = 40;

export const mayJudge = ({ sizes }: JudgedPassages): boolean =>
  sizes.reduce((sum, size) => sum + size, 0) >= WORDS_MIN;

/**
 * The predicted quality of the text of a web page from any reader. Text that is missing at the end
 * cannot be seen.
 * @param content as markdown or plain text; null = there is nothing to judge
 */
export const qualityOfText = (content: string | null): number | null =>
  content === null || content.trim() === ''
    ? null
    : qualityOf(TEXT_MODEL, textQualitySigns(content));

/** Two places are what the prediction is good for. */
function qualityOf(model: Forest, signs: Float32Array): number {
  return Math.round(Math.min(1, Math.max(0, sumOf(model, signs))) * 100) / 100;
}
