import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TOPICS, type Topic } from '@trawl/contract';

/** A query with its labelled topic. */
export interface Example {
  readonly topic: Topic;
  readonly language: string;
  readonly style: string;
  readonly query: string;
  /** Name of its file, without the ending. */
  readonly file: string;
}

const isTopic = (text: string | undefined): text is Topic =>
  (TOPICS as readonly (string | undefined)[]).includes(text);

/** Reads `topic<TAB>language<TAB>style<TAB>query`, one per line. */
export function readExamples(path: string): Example[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    if (line === '') return [];
    const [topic, language, style, query, ...rest] = line.split('\t');
    if (!isTopic(topic) || !language || !style || !query || rest.length > 0) {
      throw new Error(`${path}:${index + 1}: expected topic, language, style and query`);
    }
    return [{ topic, language, style, query, file: basename(path, '.tsv') }];
  });
}

/** All examples of a folder's files, in the order of file names. */
export function readFolder(folder: string): Example[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.tsv'));
  return names.sort().flatMap((name) => readExamples(join(folder, name)));
}

/** Examples whose query is not among the training examples, ignoring case. */
export function unseen(examples: readonly Example[], trained: readonly Example[]): Example[] {
  const plain = ({ query }: Example) => query.toLowerCase().trim();
  const known = new Set(trained.map(plain));
  return examples.filter((example) => !known.has(plain(example)));
}
