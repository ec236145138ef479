import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTopics } from '@trawl/topics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';

const COLUMNS = 'language\tmatch\ttopic\tweight\tterms';

describe('TOPIC_WORDS_FILE', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trawl-topic-words-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function file(...lines: readonly string[]): Promise<string> {
    const path = join(folder, 'words.tsv');
    await writeFile(path, lines.join('\n'));
    return path;
  }

  /** The problem of a file; undefined = none. */
  function problemsOf(path: string): readonly string[] | undefined {
    try {
      readConfig({ TOPIC_WORDS_FILE: path });
      return undefined;
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  }

  const topicOf = async (query: string, env = {}) => {
    const stopSignal = new AbortController().signal;
    const ownWords = readConfig(env).topicWords;
    const judge = createTopics(undefined, { ownWords, now: Date.now, stopSignal });
    return (await judge.explain(query, stopSignal)).topic;
  };

  it.each([
    ['a whole word', 'zorblax', 'zorblax heute'],
    ['a word with accents and capitals', 'Žörblax', 'zorblax heute'],
    ['words in sequence', 'zorblax plimf', 'der zorblax plimf heute'],
    ['the beginning of a word', 'zorbl*', 'zorblaxonen heute'],
  ])('moves a query with %s to its topic', async (_kind, term, query) => {
    expect(await topicOf(query)).not.toBe('finance_markets');
    const TOPIC_WORDS_FILE = await file(COLUMNS, `de\twords\tfinance_markets\t3\t${term}, kriff`);
    expect(await topicOf(query, { TOPIC_WORDS_FILE })).toBe('finance_markets');
  });

  it('moves a query in a script without spaces, and takes a built-in word from its topic', async () => {
    const query = '株価の推移';
    expect(await topicOf(query)).toBe('finance_markets');
    const TOPIC_WORDS_FILE = await file(COLUMNS, 'ja\tanywhere\tacademic_papers\t3\t株価, 推移');
    expect(await topicOf(query, { TOPIC_WORDS_FILE })).toBe('academic_papers');
  });

  it('may have comments, empty lines, a byte order mark and line ends of Windows', async () => {
    const TOPIC_WORDS_FILE = await file(
      `\ufeff# ours\r`,
      `${COLUMNS}\r`,
      '\r',
      'fi\twords\tfinance_markets\t3\tosakekurs*\r',
    );
    expect(readConfig({ TOPIC_WORDS_FILE }).topicWords).toEqual([
      {
        language: 'fi',
        match: 'words',
        topic: 'finance_markets',
        weight: 3,
        terms: ['osakekurs*'],
      },
    ]);
  });

  it.each([
    [[], 'is empty; begin it with the columns: language, match, topic, weight, terms'],
    [
      ['language,match'],
      'has a wrong line 1; write the columns, with tabs between them: language, match, topic,',
    ],
    [[COLUMNS, 'de\twords'], 'has a wrong line 2: it has 2 cells; write 5, with tabs between them'],
    [
      [COLUMNS, '', 'German\twords\tnews\t3\tx'],
      'has a wrong line 3: language must be a language code such as de',
    ],
    [[COLUMNS, 'de\tword\tnews\t3\tx'], 'has a wrong line 2: match must be one of words, anywhere'],
    [
      [COLUMNS, 'de\twords\tsports\t3\tx'],
      'has a wrong line 2: topic must be one of news, companies,',
    ],
    [[COLUMNS, 'de\twords\tnews\t4\tx'], 'has a wrong line 2: weight must be one of 1, 2, 3'],
    [
      [COLUMNS, 'de\twords\tnews\t3\t ,'],
      'has a wrong line 2: terms is empty; write terms with commas between them',
    ],
    [
      [COLUMNS, 'de\twords\tnews\t3\tone two three four'],
      'has a wrong line 2: terms has a term of 4 words; write at most 3',
    ],
    [
      [COLUMNS, 'de\twords\tnews\t3\tab*'],
      'has a wrong line 2: terms has a term with less than 3 letters before its *; write more',
    ],
    [
      [COLUMNS, 'ja\tanywhere\tnews\t3\t株価*'],
      'has a wrong line 2: terms has a term with *, which needs match words',
    ],
    [
      [COLUMNS, `de\twords\tnews\t3\t${'x'.repeat(101)}`],
      'has a wrong line 2: terms has a term of 101 characters; write at most 100',
    ],
    [
      [COLUMNS, 'de\twords\tnews\t3\t"x, y"'],
      'has a wrong line 2: terms is in quotes; leave them out',
    ],
    [
      [COLUMNS, ...Array.from({ length: 1_001 }, () => 'de\twords\tnews\t3\tx')],
      'has more than 1000 rows; shorten it',
    ],
    [[COLUMNS, `de\twords\tnews\t3\t${'x,'.repeat(2_001)}`], 'has 2001 terms; write at most 2000'],
  ])('%j stops the start with one line that names file, place and fix', async (lines, problem) => {
    const path = await file(...lines);
    const problems = problemsOf(path);
    expect(problems).toHaveLength(1);
    expect(problems?.[0]).toContain(
      `TOPIC_WORDS_FILE must name a table of topic words: ${path} ${problem}`,
    );
  });

  it('a file that cannot be read, or is another kind of file, stops the start too', async () => {
    const path = join(folder, 'absent.tsv');
    expect(problemsOf(path)).toEqual([
      `TOPIC_WORDS_FILE must name a table of topic words: ${path} cannot be read (ENOENT); check the path and its permissions`,
    ]);
    expect(problemsOf(folder)).toHaveLength(1);
    expect(problemsOf(await file('x'.repeat(1024 * 1024 + 1)))?.[0]).toContain('larger than 1 MB');
    expect(problemsOf(await file('API_KEY=s3cr3t'))?.join()).not.toContain('s3cr3t');
  });
});
