import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { builtInTopicWords } from '../../packages/topics/src/classifier/lexicon.ts';
import { type Example, readFolder, unseen } from './examples.ts';
import { filledForms, readForms, readFormWords } from './forms.ts';
import { lexiconQueries } from './lexicon-queries.ts';
import { createRandom } from './random.ts';
import { readShapes, type Shape, shaped } from './shapes.ts';

/**
 * Queries of other origin than this project, by how they may be used. The file of each names its
 * source.
 */
export interface RealQueries {
  readonly develop: readonly Example[];
  /** Of sources that no training sees. */
  readonly sealed: readonly Example[];
}

/**
 * How often a query of the project is in a training set that has real ones too: it has no noise,
 * and they are more.
 */
const OWN_WEIGHT = 2;
/** Names in shapes, for each topic. */
const SHAPED = 250;
const SEED = 5;

/** @returns undefined where the folder does not exist */
export function readRealQueries(folder: string): RealQueries | undefined {
  if (!existsSync(folder)) return undefined;
  const examples = readFolder(folder);
  return {
    develop: examples.filter(({ style }) => style === 'develop'),
    sealed: examples.filter(({ style }) => style === 'sealed'),
  };
}

export const sourcesOf = (examples: readonly Example[]): string[] => [
  ...new Set(examples.map(({ file }) => file)),
];

/** What was written for the training in this project. */
export interface OwnData {
  readonly queries: readonly Example[];
  readonly shapes: readonly Shape[];
  /** Queries that describe what they ask for: the filled forms. */
  readonly described: readonly Example[];
  /** Queries of the lexicon's terms. */
  readonly terms: readonly Example[];
}

/** @param folder this one */
export function readOwnData(folder: string): OwnData {
  const forms = readForms(join(folder, 'forms.tsv'));
  const words = readFormWords(join(folder, 'form-words.tsv'));
  return {
    queries: readFolder(join(folder, 'data')),
    shapes: readShapes(join(folder, 'shapes.tsv')),
    described: filledForms(forms, words, createRandom(SEED)),
    terms: lexiconQueries(builtInTopicWords(), createRandom(SEED)),
  };
}

/** Its queries: one of a test set that is among them tests nothing. */
export const writtenQueries = ({ queries, described }: OwnData): Example[] => [
  ...queries,
  ...described,
];

/**
 * What a model is trained on: the project's queries, real ones, names among them in the shapes of
 * questions, the filled forms, and terms of the lexicon.
 */
export function trainingSet(own: OwnData, real: readonly Example[]): Example[] {
  const repeated = Array.from({ length: OWN_WEIGHT }, () => own.queries).flat();
  const named = shaped(real, own.shapes, SHAPED, createRandom(SEED));
  return [...repeated, ...named, ...own.described, ...own.terms, ...real];
}

/** Real queries that are not among those of the project, nor twice. */
export function fresh(real: RealQueries, own: readonly Example[]): RealQueries {
  return {
    develop: unseen(real.develop, own),
    sealed: unseen(real.sealed, [...own, ...real.develop]),
  };
}
